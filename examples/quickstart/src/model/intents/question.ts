import { languageOf } from "../language.ts";

/** "which colour I like": a question word, what it asks for, and a plain "I …". */
const INDIRECT =
  /^(?<asked>(?:which|what|who|whom|whose|where|when|why|how)\b.*?)\s+i\s+(?<rest>.+)$/iu;
const WHETHER = /^(?:whether|if)\s+(?:or not\s+)?i\s+(?<rest>.+)$/iu;
const TO_DO = /^(?<asked>(?:which|what|who|where|when|how)\b.*?)\s+to\s+(?<rest>.+)$/iu;
const WHETHER_TO = /^whether\s+(?:or not\s+)?to\s+(?<rest>.+)$/iu;
const AUXILIARY = /^(?:am|was|would|should|could|can|will|must|may|have|had)\b\s*/iu;

/** Turns what is to be asked ("which colour I like") into the question itself. */
export function asQuestion(words: string): string {
  if (languageOf(words) === "zh-CN") {
    const you = words.replaceAll("我", "你");
    const asked = /^(?:喜欢|偏好|想(?!不)|要(?!不)|需要|希望|觉得|认为|打算|同意)/u.test(you)
      ? `你${you}`
      : you;
    return `${asked}？`;
  }
  return sentence(
    direct(words)
      .replace(/\bmy\b/giu, "your")
      .replace(/\bme\b/giu, "you"),
  );
}

function direct(words: string): string {
  const toDo = WHETHER_TO.exec(words)?.groups?.["rest"];
  if (toDo !== undefined) return `should I ${toDo}`;
  const whether = WHETHER.exec(words)?.groups?.["rest"];
  if (whether !== undefined) return youQuestion(whether);
  const indirect = INDIRECT.exec(words)?.groups;
  if (indirect) return `${indirect["asked"]} ${youQuestion(indirect["rest"] ?? "")}`;
  const choice = TO_DO.exec(words)?.groups;
  if (choice) return `${choice["asked"]} should I ${choice["rest"]}`;
  return words;
}

function youQuestion(rest: string): string {
  const auxiliary = AUXILIARY.exec(rest)?.[0];
  if (auxiliary === undefined) return `do you ${rest}`;
  const asYou = auxiliary.trim().replace(/^am$/iu, "are").replace(/^was$/iu, "were");
  return `${asYou} you ${rest.slice(auxiliary.length)}`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}?`;
}
