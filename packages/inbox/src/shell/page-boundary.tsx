import { Component, type ReactNode } from "react";

type PageBoundaryProps = {
  readonly children: ReactNode;
  readonly texts: { readonly broken: string; readonly reload: string };
};

/**
 * Shows one sentence in place of a page that failed to render, such as after an update replaced a
 * chunk that the open page still asks for. React offers this as a class only.
 */
export class PageBoundary extends Component<PageBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { children, texts } = this.props;
    if (!this.state.failed) return children;
    return (
      <p className="page" role="alert">
        {texts.broken}{" "}
        <button type="button" className="button" onClick={() => location.reload()}>
          {texts.reload}
        </button>
      </p>
    );
  }
}
