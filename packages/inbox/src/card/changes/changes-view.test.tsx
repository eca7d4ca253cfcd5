import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChangesView } from "./changes-view.tsx";

test("another choice is shown as before → after, whole, also where both share words", () => {
  const schema = { type: "object", properties: { state: { enum: ["in progress", "in review"] } } };
  const html = renderToStaticMarkup(
    <ChangesView
      before={{ state: "in progress" }}
      after={{ state: "in review" }}
      schema={schema}
    />,
  );
  expect(html.replaceAll(/<[^>]*>/g, "")).toBe("statein progress → in review");
});
