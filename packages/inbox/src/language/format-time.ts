import type { Language } from "./language-store.ts";

const steps = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1000 },
] as const;

/** A moment in the reader's own time zone, such as "Nov 30, 2026, 14:05". */
export function formatTime(iso: string, language: Language): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  }).format(time);
}

/**
 * How long something has waited, in its one or two largest units: "45 sec", "12 min", "3 hr 5 min".
 * Never negative: a clock that runs behind the server's shows zero.
 */
export function formatWaited(fromIso: string, nowIso: string, language: Language): string {
  const ms = Date.parse(nowIso) - Date.parse(fromIso);
  let rest = Number.isNaN(ms) ? 0 : Math.max(0, ms);
  const first = steps.findIndex((step) => rest >= step.ms);
  const from = first === -1 ? steps.length - 1 : first;
  const parts: string[] = [];
  // A second unit tells nothing while minutes tick by; from an hour on it does.
  const count = from <= 1 ? 2 : 1;
  for (const { unit, ms: size } of steps.slice(from, from + count)) {
    const value = Math.floor(rest / size);
    rest -= value * size;
    if (value === 0 && parts.length > 0) continue;
    parts.push(
      new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value),
    );
  }
  return parts.join(" ");
}
