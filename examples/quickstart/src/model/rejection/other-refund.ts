import { restored } from "../marked-text.ts";
import { currencyIn, moneyIn } from "../money.ts";
import { orderNumber } from "../order-number.ts";
import { textArgument } from "../tool-request.ts";
import type { Advice } from "./advice.ts";

const BELOW =
  /(?:\b(?:under|below|less than|smaller than)|低于|少于|小于)\s*(?:[a-z]{3}|[€$¥￥])?\s*$/iu;
const PERCENT = /(?<percent>\d{1,2}(?:\.\d+)?)\s*(?:%|％|percent)|(?<half>\bhalf\b|一半)/iu;
const OTHER_UNIT =
  /^\s*(?:days?|weeks?|months?|hours?|minutes?|years?|%|％|percent|items?|characters?|天|日|周|个|小时|分钟|年|月|件|次)/iu;

type Args = Readonly<Record<string, unknown>>;

/** The refund as the advice wants it: a smaller amount, another currency or another order. */
export function otherRefund(advice: Advice, args: Args): Args {
  const order = textArgument(args, "order");
  const original = Number(args["amount"]);
  const said = restored(advice, advice.text);
  const named = orderNumber(said.replaceAll(order, " "));
  const text = said.replaceAll(order, " ").replace(named?.raw ?? "\0", " ");

  const money = moneyIn(text)
    .filter(({ to }) => !OTHER_UNIT.test(text.slice(to)))
    .flatMap((found) => (found.amount === undefined ? [] : [{ ...found, amount: found.amount }]))
    .find(({ amount }) => amount < original || (advice.isExplicit && amount !== original));
  const amount = money ? allowed(text, money) : partOf(text, original);
  const currency = money?.currency ?? currencyIn(text);
  return {
    ...args,
    ...(named && !/^\d/.test(named.id) ? { order: named.id } : {}),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** "less than 800" leaves 799.99 at most; "at most 800" leaves 800. */
function allowed(text: string, money: { readonly amount: number; readonly from: number }): number {
  const isBelow = BELOW.test(text.slice(0, money.from));
  return isBelow ? Number((money.amount - 0.01).toFixed(2)) : money.amount;
}

function partOf(text: string, original: number): number | undefined {
  const found = PERCENT.exec(text)?.groups;
  if (!found) return undefined;
  const share = found["half"] === undefined ? Number(found["percent"]) / 100 : 0.5;
  return Number((original * share).toFixed(2));
}
