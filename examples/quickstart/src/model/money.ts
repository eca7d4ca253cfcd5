/** An amount of money found in a text, and where it stands. */
export type Money = {
  readonly amount: number;
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
const BEFORE = String.raw`€|us\$|\$|cn¥|¥|￥|\b(?:eur|usd|cny|rmb)|人民币|美元|欧元`;
const AFTER = String.raw`€|\$|¥|￥|(?:eur|euros?|usd|(?:us )?dollars?|bucks?|cny|rmb|yuan|renminbi)(?![a-z])|欧元|欧|美元|美金|刀|元人民币|块钱人民币|人民币|元|圆|块钱?`;
const NUMBER = String.raw`\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const HAN_NUMBER = "[零一二两三四五六七八九十百千万]+";

const MONEY = new RegExp(
  String.raw`(?<![A-Za-z0-9_.-])(?:(?<before>${BEFORE})\s*)?(?:(?<number>${NUMBER})\s*(?<scale>k(?![a-z])|千|万|百)?|(?<han>${HAN_NUMBER})(?=\s*(?:元|块|欧|美|人民币)))(?![\d%]|[-_]\w)\s*(?:(?<after>${AFTER})|(?![A-Za-z]{2,}\d|\d))`,
  "giu",
);
const SCALES: Readonly<Record<string, number>> = { k: 1000, 千: 1000, 万: 10_000, 百: 100 };
const DIGITS = "零一二三四五六七八九";
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000 };

/** All amounts in a text, with or without a currency: "€1,200.50", "300 dollars", 五百元, "1.5k". */
export function moneyIn(text: string): Money[] {
  return Array.from(text.matchAll(MONEY), (match) => {
    const { before, number, scale, han, after } = match.groups ?? {};
    const plain = han === undefined ? Number(number?.replace(/[,，]/g, "")) : hanNumber(han);
    const amount = Number((plain * (SCALES[scale?.toLowerCase() ?? ""] ?? 1)).toFixed(2));
    const word = (before ?? after)?.replace(/\s+/g, " ");
    const currency = CURRENCIES.find(
      ([, pattern]) => word !== undefined && pattern.test(word),
    )?.[0];
    return { amount, currency, from: match.index, to: match.index + match[0].length };
  }).filter(({ amount }) => amount > 0);
}

/** A currency that is named without an amount: "in dollars", 用欧元. */
export function currencyIn(text: string): Currency | undefined {
  const [word] = /\b(?:eur|euros?|usd|dollars?|cny|rmb|yuan)\b|欧元|美元|人民币/iu.exec(text) ?? [];
  return CURRENCIES.find(([, pattern]) => word !== undefined && pattern.test(word))?.[0];
}

function hanNumber(text: string): number {
  let total = 0;
  let digit = 0;
  for (const character of text.replaceAll("两", "二")) {
    const unit = UNITS[character];
    if (unit === undefined) digit = DIGITS.indexOf(character);
    else if (unit === 10_000) [total, digit] = [(total + digit) * unit, 0];
    else [total, digit] = [total + (digit === 0 && unit === 10 ? 1 : digit) * unit, 0];
  }
  return total + digit;
}
