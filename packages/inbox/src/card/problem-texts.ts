/** What a tool's schema can say against a value, in words of our own. */
export type ProblemTexts = {
  readonly type: (expected: readonly string[]) => string;
  readonly required: (key: string) => string;
  readonly oneOf: (choices: string) => string;
  readonly exactly: (value: string) => string;
  readonly atLeast: (limit: string) => string;
  readonly atMost: (limit: string) => string;
  readonly moreThan: (limit: string) => string;
  readonly lessThan: (limit: string) => string;
  readonly multipleOf: (step: string) => string;
  readonly minLength: (limit: string) => string;
  readonly maxLength: (limit: string) => string;
  readonly minItems: (limit: string) => string;
  readonly maxItems: (limit: string) => string;
  readonly duplicate: string;
  readonly pattern: string;
  readonly format: (format: string) => string;
  readonly unknownKey: (key: string) => string;
  readonly notAllowed: string;
};

const englishTypes = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "a list"],
  ["null", "nothing (null)"],
]);

const englishFormats = new Map([
  ["email", "an email address"],
  ["uri", "a web address (URL)"],
  ["url", "a web address (URL)"],
  ["date", "a date such as 2026-11-30"],
  ["time", "a time such as 14:05:00Z"],
  ["date-time", "a date and time such as 2026-11-30T14:05:00Z"],
  ["uuid", "a UUID"],
]);

/** In English. */
export const englishProblems: ProblemTexts = {
  type: (expected) =>
    `This must be ${expected.map((type) => englishTypes.get(type) ?? type).join(" or ")}.`,
  required: (key) => `"${key}" is missing.`,
  oneOf: (choices) => `This must be one of: ${choices}.`,
  exactly: (value) => `This must be ${value}.`,
  atLeast: (limit) => `This must be ${limit} or more.`,
  atMost: (limit) => `This must be ${limit} or less.`,
  moreThan: (limit) => `This must be more than ${limit}.`,
  lessThan: (limit) => `This must be less than ${limit}.`,
  multipleOf: (step) => `This must be a multiple of ${step}.`,
  minLength: (limit) => `Too short: at least ${limit} characters.`,
  maxLength: (limit) => `Too long: at most ${limit} characters.`,
  minItems: (limit) => `Too few items: at least ${limit}.`,
  maxItems: (limit) => `Too many items: at most ${limit}.`,
  duplicate: "No item may appear twice.",
  pattern: "This does not have the form that the tool expects.",
  format: (format) => `This must be ${englishFormats.get(format) ?? `in the format "${format}"`}.`,
  unknownKey: (key) => `The tool does not accept "${key}".`,
  notAllowed: "The tool does not accept this.",
};

const chineseTypes = new Map([
  ["string", "文本"],
  ["number", "数字"],
  ["integer", "整数"],
  ["boolean", "“是”或“否”"],
  ["object", "对象"],
  ["array", "列表"],
  ["null", "空值（null）"],
]);

const chineseFormats = new Map([
  ["email", "邮箱地址"],
  ["uri", "网址"],
  ["url", "网址"],
  ["date", "日期，例如 2026-11-30"],
  ["time", "时间，例如 14:05:00Z"],
  ["date-time", "日期和时间，例如 2026-11-30T14:05:00Z"],
  ["uuid", "UUID"],
]);

/** In Chinese. */
export const chineseProblems: ProblemTexts = {
  type: (expected) =>
    `这里必须是${expected.map((type) => chineseTypes.get(type) ?? type).join("或")}。`,
  required: (key) => `缺少“${key}”。`,
  oneOf: (choices) => `只能是以下之一：${choices}。`,
  exactly: (value) => `只能是 ${value}。`,
  atLeast: (limit) => `不能小于 ${limit}。`,
  atMost: (limit) => `不能大于 ${limit}。`,
  moreThan: (limit) => `必须大于 ${limit}。`,
  lessThan: (limit) => `必须小于 ${limit}。`,
  multipleOf: (step) => `必须是 ${step} 的倍数。`,
  minLength: (limit) => `太短，至少 ${limit} 个字符。`,
  maxLength: (limit) => `太长，最多 ${limit} 个字符。`,
  minItems: (limit) => `项数太少，至少 ${limit} 项。`,
  maxItems: (limit) => `项数太多，最多 ${limit} 项。`,
  duplicate: "不能有重复的项。",
  pattern: "这里的内容不符合工具要求的格式。",
  format: (format) => `这里必须是${chineseFormats.get(format) ?? `“${format}”格式`}。`,
  unknownKey: (key) => `工具不接受“${key}”。`,
  notAllowed: "工具不接受这一项。",
};
