import type { ReactNode } from "react";
import { useStore } from "../state/use-store.ts";
import { session } from "./session.ts";
import { useSessionTexts } from "./texts.ts";
import "./session-gate.css";

/** Shows its children to a signed-in person, and to anybody else how to sign in. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const state = useStore(session);
  const texts = useSessionTexts();
  switch (state.status) {
    case "signed_in":
      return children;
    case "checking":
      return <p className="gate-quiet">{texts.checking}</p>;
    case "entering":
      return <p className="gate-quiet">{texts.entering}</p>;
    case "unreachable":
      return (
        <Gate title={texts.unreachableTitle} text={texts.unreachable}>
          <button type="button" className="button" onClick={() => void session.check()}>
            {texts.retry}
          </button>
        </Gate>
      );
    case "signed_out": {
      const refused = state.because === "link_refused";
      return (
        <Gate
          title={refused ? texts.linkTitle : texts.signedOutTitle}
          text={refused ? texts.link : texts.signedOut}
        >
          <p className="gate-example">
            <span>{texts.linkLooksLike}</span>
            <code>{`${location.origin}/#/enter/…`}</code>
          </p>
        </Gate>
      );
    }
    default:
      return state satisfies never;
  }
}

type GateProps = {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
};

function Gate({ title, text, children }: GateProps): ReactNode {
  return (
    <section className="gate" role="status">
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </section>
  );
}
