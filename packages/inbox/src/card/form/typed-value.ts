import { type Json, problemWithJson } from "@holdpoint/core";

/** What a typed text is meant to be. */
export type TypedAs = "number" | "integer" | "json";

/** Why a typed text is not the value it is meant to be. */
export type TypingProblem = "not_a_number" | "not_an_integer" | "number_not_exact" | "not_json";

/** A typed text, read. */
export type TypedValue =
  | { readonly type: "value"; readonly value: Json }
  | { readonly type: "problem"; readonly problem: TypingProblem };

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a typed text as exactly the value it spells, or says why it cannot. */
export function readTyped(text: string, as: TypedAs): TypedValue {
  const trimmed = text.trim();
  switch (as) {
    case "json":
      return readJson(trimmed);
    case "number":
    case "integer":
      return readNumber(trimmed, as);
    default:
      return as satisfies never;
  }
}

/** A value as the text that is typed for it. */
export function typedText(value: Json, as: TypedAs): string {
  return as === "json" ? JSON.stringify(value, null, 2) : JSON.stringify(value);
}

function readNumber(text: string, as: "number" | "integer"): TypedValue {
  if (!decimal.test(text)) return { type: "problem", problem: "not_a_number" };
  const value = Number(text);
  if (as === "integer" && !Number.isInteger(value)) {
    return { type: "problem", problem: "not_an_integer" };
  }
  const isExact =
    problemWithJson(value) === undefined && digitsOf(String(value)) === digitsOf(text);
  return isExact ? { type: "value", value } : { type: "problem", problem: "number_not_exact" };
}

function readJson(text: string): TypedValue {
  try {
    const value: unknown = JSON.parse(text);
    return problemWithJson(value) === undefined
      ? { type: "value", value: value as Json } // checked just now
      : { type: "problem", problem: "not_json" };
  } catch {
    return { type: "problem", problem: "not_json" };
  }
}

/** A decimal number in one spelling, so that digits lost in reading are noticed: 1.50 and 15e-1 are the same. */
function digitsOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const shift = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${shift}`;
}
