import type { ReactNode } from "react";
import type { Connection } from "./review-list.ts";
import { useInboxTexts } from "./texts.ts";

/** Says quietly that what is shown may be out of date; nothing while all is well. */
export function ConnectionBanner({ connection }: { readonly connection: Connection }): ReactNode {
  const texts = useInboxTexts();
  switch (connection.type) {
    case "online":
      return null;
    case "unreachable":
      return <Banner text={texts.lost} />;
    case "refused":
      return <Banner text={texts.refused(connection.message)} />;
    default:
      return connection satisfies never;
  }
}

function Banner({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="banner" role="status" data-testid="connection-banner">
      {text}
    </p>
  );
}
