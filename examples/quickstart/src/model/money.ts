/** An amount of money found in a text, and where it stands. */
export type Money = {
  /** Undefined when the text can be read in more than one way, or only in part: "1.500", "2e3". */
  readonly amount: number | undefined;
  readonly currency: Currency | undefined;
  readonly from: number;
  readonly to: number;
};

/** The currencies refunds are made in. */
export type Currency = "EUR" | "USD" | "CNY";

const CURRENCIES: readonly (readonly [Currency, RegExp])[] = [
  ["EUR", /^(?:€|eur|euros?|欧元?)$/iu],
  ["USD", /^(?:us\$|\$|usd|(?:us )?dollars?|bucks?|美元|美金|刀)$/iu],
  ["CNY", /^(?:¥|￥|cn¥|cny|rmb|yuan|renminbi|人民币|元人民币|块钱人民币|元|圆|块钱?)$/iu],
];
const BEFORE =
  /(?<![A-Za-z0-9_.-])(?:€|us\$|\$|cn¥|¥|￥|(?:eur|usd|cny|rmb)|人民币|美元|欧元)\s*$/iu;
const AFTER =
  /^\s*(?:€|\$|¥|￥|(?:eur|euros?|usd|(?:us )?dollars?|bucks?|cny|rmb|yuan|renminbi)(?![a-z])|欧元|欧|美元|美金|刀|元人民币|块钱人民币|人民币|元|圆|块钱?)/iu;

const HAN = "零〇一二两三四五六七八九十百千万亿";
/** Digits with all that may belong to them, or a Chinese number in front of a currency. */
const AMOUNT = new RegExp(
  [
    String.raw`(?<digits>\d+(?:[.,'’]\d+|，\d{3}(?!\d)|(?<=(?<![\d.,])\d{1,3}|[ \u00A0\u202F]\d{3})[ \u00A0\u202F]\d{3}(?!\d))*)(?<scale>\s*(?:k(?![a-z])|[千万百]))?(?<more>[${HAN}点半\d]+)?`,
    String.raw`(?<han>[${HAN}点半几]+)(?=\s*(?:元|块|欧|美|人民币))`,
  ].join("|"),
  "giu",
);
/** Part of a date, a percentage or an order number. */
const NO_AMOUNT = /^(?:[%％]|[-_]\w)/u;
/** What follows a number that says more than its digits, or another currency than ours. */
const SAYS_MORE =
  /^(?:[A-Za-z][A-Za-z0-9]*|[:/]\d|\s*(?:hundred|thousand|grand|million|billion|mio|mn|bn|tsd|cents?|pence|pounds?|gbp|quid|chf|francs?|jpy|yen|hkd|aud|cad|sek|nok|dkk|inr|rupees?|krw)(?![a-z])|\s*(?:亿|多|余|几|角|毛|分|日元|港币|港元|英镑|韩元|瑞郎|卢布|[£₹₩₽])|\s*[–—~～至到]\s*\d)/iu;
const SAYS_MORE_BEFORE =
  /(?:[£₹₩₽]|[A-Za-z]\$|\b(?:gbp|chf|jpy|hkd|aud|cad)|\d\s*[–—~～至到])\s*$|[.点]$/iu;

const SCALES: Readonly<Record<string, number>> = { k: 1000, 千: 1000, 万: 10_000, 百: 100 };
const DIGITS = "零一二三四五六七八九";
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000 };

/**
 * All amounts in a text, with or without a currency: "€1,200.50", "300 dollars", 五百元, "1.5k". What
 * cannot be read for certain is found too, without an amount, so that nobody pays half of it.
 */
export function moneyIn(text: string): Money[] {
  return Array.from(text.matchAll(AMOUNT)).flatMap((match): Money[] => {
    const before = text.slice(0, match.index);
    const end = match.index + match[0].length;
    const after = text.slice(end);
    const sign = BEFORE.exec(before)?.[0];
    const start = match.index - (sign?.length ?? 0);
    if (NO_AMOUNT.test(after) || (sign === undefined && /[A-Za-z0-9_-]$/.test(before))) return [];

    const unit = sign === undefined ? AFTER.exec(after)?.[0] : undefined;
    const word = (sign ?? unit)?.trim().replace(/\s+/g, " ");
    const currency = CURRENCIES.find(
      ([, pattern]) => word !== undefined && pattern.test(word),
    )?.[0];
    const isClear =
      !SAYS_MORE_BEFORE.test(before) && (unit !== undefined || !SAYS_MORE.test(after));
    const amount = isClear ? amountOf(match.groups ?? {}, currency) : undefined;
    const to = end + (unit?.length ?? 0);
    return amount === 0 ? [] : [{ amount, currency, from: start, to }];
  });
}

/** A currency that is named without an amount: "in dollars", 用欧元. */
export function currencyIn(text: string): Currency | undefined {
  const [word] = /\b(?:eur|euros?|usd|dollars?|cny|rmb|yuan)\b|欧元|美元|人民币/iu.exec(text) ?? [];
  return CURRENCIES.find(([, pattern]) => word !== undefined && pattern.test(word))?.[0];
}

function amountOf(
  groups: Readonly<Record<string, string | undefined>>,
  currency: Currency | undefined,
): number | undefined {
  const { digits = "", scale, more, han } = groups;
  if (more !== undefined) return undefined;
  const plain = han === undefined ? digitsNumber(digits, currency) : hanNumber(han);
  if (plain === undefined) return undefined;
  return Number((plain * (SCALES[scale?.trim().toLowerCase() ?? ""] ?? 1)).toFixed(2));
}

/** "1200", "1,200.50" and, in euros, "1.200,50"; not "1.500", which is two different numbers. */
function digitsNumber(digits: string, currency: Currency | undefined): number | undefined {
  if (/^\d+(?:\.\d{1,2})?$/.test(digits)) return Number(digits);
  if (/^\d{1,3}(?:[,，]\d{3})+(?:\.\d{1,2})?$/.test(digits)) {
    return Number(digits.replace(/[,，]/g, ""));
  }
  if (currency === "EUR" && /^(?:\d{1,3}(?:\.\d{3})+|\d+),\d{1,2}$/.test(digits)) {
    return Number(digits.replaceAll(".", "").replace(",", "."));
  }
  return undefined;
}

/** 五百, 一千二百零五; not 三千五, which may be 3005 or 3500. */
function hanNumber(text: string): number | undefined {
  if (/[点半几亿]|[百千万][一二两三四五六七八九]$/u.test(text)) return undefined;
  let total = 0;
  let digit = 0;
  for (const character of text.replaceAll("两", "二").replaceAll("〇", "零")) {
    const unit = UNITS[character];
    if (unit === undefined) digit = DIGITS.indexOf(character);
    else if (unit === 10_000) [total, digit] = [(total + digit) * unit, 0];
    else [total, digit] = [total + (digit === 0 && unit === 10 ? 1 : digit) * unit, 0];
  }
  return total + digit;
}
