import { Component, type ReactNode } from "react";

type Props = { readonly fallback: string; readonly children: ReactNode };

/**
 * Shows a sentence in place of a part that could not be loaded, so that the rest of the card stays
 * usable. A class because React offers error boundaries no other way.
 */
export class LoadGuard extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <p className="card-problem" role="alert">
        {this.props.fallback}
      </p>
    ) : (
      this.props.children
    );
  }
}
