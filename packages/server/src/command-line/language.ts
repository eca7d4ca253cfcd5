/** The languages that the command line speaks. */
export type Language = "en" | "zh-CN";

/** Chinese where the environment asks for it the way POSIX does, English everywhere else. */
export function languageOf(environment: Readonly<Record<string, string | undefined>>): Language {
  const named = [environment["LC_ALL"], environment["LC_MESSAGES"], environment["LANG"]];
  return named.find((one) => one !== undefined && one !== "")?.startsWith("zh") === true
    ? "zh-CN"
    : "en";
}
