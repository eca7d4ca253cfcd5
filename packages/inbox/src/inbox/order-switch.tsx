import type { ReviewsQuery } from "@holdpoint/client";
import type { ReactNode } from "react";
import { useInboxTexts } from "./texts.ts";

type OrderSwitchProps = {
  readonly order: ReviewsQuery["order"];
  readonly onChange: (order: ReviewsQuery["order"]) => void;
};

/** Says in which order a list is, and turns it round. */
export function OrderSwitch({ order, onChange }: OrderSwitchProps): ReactNode {
  const texts = useInboxTexts();
  return (
    <button
      type="button"
      className="order-switch"
      data-testid="order-switch"
      data-order={order}
      aria-label={`${texts.order.label}${texts.order[order]}`}
      onClick={() => onChange(order === "newest" ? "oldest" : "newest")}
    >
      <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true" className="order-icon">
        <path d="M8 3v10M4 9l4 4 4-4" />
      </svg>
      {texts.order[order]}
    </button>
  );
}
