import type { ReactNode } from "react";

/** The product's mark: two bars, held. */
export function Mark(): ReactNode {
  return (
    <svg className="mark" width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <rect className="mark-ground" width="32" height="32" rx="8" />
      <rect className="mark-bar" x="10" y="9" width="4" height="14" rx="1.5" />
      <rect className="mark-bar" x="18" y="9" width="4" height="14" rx="1.5" />
    </svg>
  );
}
