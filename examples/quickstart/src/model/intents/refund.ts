import { restored, valuesOf, QUOTE } from "../marked-text.ts";
import { languageOf } from "../language.ts";
import { type Currency, type Money, moneyIn } from "../money.ts";
import { orderNumber } from "../order-number.ts";
import { withoutCourtesy } from "../preamble.ts";
import type { Doubt, ToolRequest } from "../tool-request.ts";
import type { Piece } from "./piece.ts";

const STARTS =
  /^(?:(?:an? |the )?(?:partial |full )?refund(?:ing)?\b|reimburs(?:e|ing)\b|(?:issue|process|make|create|do|start|approve|grant)\b.{0,20}\brefund|(?:give|pay|send|hand|transfer|return|credit)(?:ing)?\b|order\b|for order\b|#?[A-Za-z]*-?\d|退|返还|返|赔|给|为|对|向|把|将|订单|办理|处理|客户|顾客)/iu;
const IS_REFUND = /\brefund|\breimburs|\bback\b|\breturn(?:ing)? |\bcredit|退|返还|赔付|赔/iu;

const REASON =
  /(?:\b(?:because(?: of)?|since|due to|on account of|as (?=(?:the|it|they|she|he|customer)\b)|(?:with )?(?:the )?reason(?: is|:| being)?)|因为|由于|(?:退款)?(?:原因|理由)(?:是|为)?)\s*[:：]?\s*(?<reason>[^;；。\n]+)/iu;
const NOTIFY =
  /[,，]?\s*(?:and |then |并且?|同时)?(?:please )?(?:notify|inform|tell|let)\b(?: \w+){0,3}?(?: (?:customer|buyer|client|him|her|them))(?: know)?\b|[,，]?\s*(?:并且?|同时|然后)?(?:通知|告知|告诉|提醒)(?:一下)?(?:客户|顾客|买家|对方|用户|他|她)?/iu;
const SILENT =
  /[,，]?\s*(?:and |but |但)?(?:without (?:notifying|telling|informing)|(?:don['’]?t|do not|no need to) (?:notify|tell|inform)|不要|不用|无需|不必|别|不)\s*(?:the )?(?:customer|buyer|client|him|her|them|(?:通知|告知|告诉|提醒)(?:客户|顾客|买家|对方|用户|他|她)?)/iu;

/** "refund order A-1 by 50 EUR because …", "give $20 back for order 7", 给订单 A-1 退款 300 元. */
export function refundRequests(piece: Piece): ToolRequest[] {
  if (!STARTS.test(piece.text) || !IS_REFUND.test(piece.text)) return [];
  const silent = SILENT.exec(piece.text);
  const told = silent ?? NOTIFY.exec(piece.text);
  const text = told ? piece.text.replace(told[0], "") : piece.text;
  const stated = REASON.exec(text);
  const facts = stated ? text.replace(stated[0], "") : text;

  const [quoted] = valuesOf(piece, text, QUOTE);
  const reason = stated ? withoutCourtesy(plain(piece, stated.groups?.["reason"] ?? "")) : quoted;
  return paidBackIn(facts).map(({ order, amount, currency, doubt }) => {
    const args = {
      order,
      amount,
      currency: currency ?? (languageOf(piece.text) === "en" ? "EUR" : "CNY"),
      ...(reason ? { reason } : {}),
      ...(told ? { notify: !silent } : {}),
    };
    return { name: "issue_refund", args, ...(doubt ? { doubt } : {}) };
  });
}

type PaidBack = {
  readonly order: string;
  readonly amount: number;
  readonly currency: Currency | undefined;
  readonly doubt?: Doubt;
};

/** One order and amount, or several: "order A-1 10 EUR and order A-2 20 EUR". */
function paidBackIn(text: string): PaidBack[] {
  const parts = text.split(/(?<!\d)[,，]|[,，](?!\d)|、|\band\b|\bplus\b|和|以及|还有/iu);
  const each = parts.flatMap((part) => oneIn(part) ?? []);
  if (parts.length > 1 && each.length === parts.length) return each;
  const one = oneIn(text);
  return one ? [one] : [];
}

function oneIn(text: string): PaidBack | undefined {
  const order = orderIn(text);
  if (!order) return undefined;
  const all = moneyIn(order.rest);
  const named = all.filter(({ currency }) => currency);
  const [money, ...others] = named.length > 0 ? named : all;
  if (!money) return undefined;
  const paid = { order: order.id, currency: money.currency };
  // Two amounts, or one that may be something else: nothing is paid on a guess.
  const isSure = others.every(({ amount, currency }) => {
    return amount === money.amount && currency === money.currency;
  });
  if (money.amount !== undefined && isSure) return { ...paid, amount: money.amount };
  const words = [money, ...others].map((found) => wordsAround(order.rest, found));
  return { ...paid, amount: 0, doubt: { type: "amount", text: words.join(", ") } };
}

/** The stretch with all that is written right beside it: what a person would point at. */
function wordsAround(text: string, { from, to, currency }: Money): string {
  const before = /[^\s\p{Script=Han},，;；]*$/u.exec(text.slice(0, from))?.[0] ?? "";
  const after = /^[^\s,，;；。]*(?: [^\s,，;；。]+)?/u.exec(text.slice(to))?.[0] ?? "";
  return (before + text.slice(from, to) + (currency ? after.replace(/ .*/s, "") : after)).trim();
}

function orderIn(text: string): { readonly id: string; readonly rest: string } | undefined {
  const named = orderNumber(text);
  if (named) return { id: named.id, rest: text.replace(named.raw, " ") };
  // "refund 50 EUR for 4411": what is left when the amount is taken away.
  const all = moneyIn(text);
  const money = all.find(({ currency }) => currency);
  const other = money && all.find(({ from }) => from !== money.from);
  if (!other) return undefined;
  const id = text.slice(other.from, other.to).trim();
  return { id, rest: text.slice(0, other.from) + text.slice(other.to) };
}

function plain(piece: Piece, text: string): string {
  const [quoted] = valuesOf(piece, text, QUOTE);
  return quoted !== undefined && text.trim().length === 1 ? quoted : restored(piece, text);
}
