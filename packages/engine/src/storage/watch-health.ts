import type { AlarmListener } from "../alarm.ts";
import type { Storage } from "./storage.ts";
import type { Health } from "./unwell.ts";

/** How often the health is looked at when nobody asks, in milliseconds. */
const every = 60_000;

/** Asks a storage how it is, now and then also by itself. */
export type HealthWatch = {
  readonly health: () => Promise<Health>;
  readonly stop: () => void;
};

/** Raises an alarm when a warning is first seen; when it is gone and comes back, another one. */
export function watchHealth({ health }: Storage, alarm: AlarmListener): HealthWatch {
  let isWarned = false;
  const look = async (): Promise<Health> => {
    const found = await health();
    const warning = found.status === "well" ? found.warning : undefined;
    if (warning !== undefined && !isWarned) alarm({ type: "database.strained", error: warning });
    isWarned = warning !== undefined;
    return found;
  };
  const timer = setInterval(() => void look().catch(() => undefined), every).unref();
  return { health: look, stop: () => clearInterval(timer) };
}
