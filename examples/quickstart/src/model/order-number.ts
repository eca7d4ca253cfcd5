/** An order number, and the words it was found in: "order no. A-1001", 1001号订单. */
export type OrderNumber = { readonly id: string; readonly raw: string };

const ID = String.raw`#?\s*(?<id>[A-Za-z]{0,8}[-_]?[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*)`;
const ORDERS = [
  String.raw`(?:\border|\bpurchase|\binvoice|订单|单号)\s*(?:number|no\.?|nr\.?|id|ref(?:erence)?|编号|号码|号)?\s*(?:is|为|是)?\s*[:：]?\s*${ID}`,
  String.raw`#\s*(?<id>[A-Za-z0-9][A-Za-z0-9_-]*)`,
  String.raw`(?<![A-Za-z0-9.])${ID}\s*(?:号|这[笔个]|那[笔个]|的)*订单`,
  String.raw`(?<![A-Za-z0-9.])(?<id>[A-Za-z]+[-_]?\d[A-Za-z0-9_-]*|\d+[-_][A-Za-z0-9_-]+)(?![A-Za-z0-9_-])`,
].map((pattern) => new RegExp(pattern, "giu"));

/** The first order number of a text: after the word "order" or "#", else letters with digits. */
export function orderNumber(text: string): OrderNumber | undefined {
  for (const pattern of ORDERS) {
    for (const match of text.matchAll(pattern)) {
      const id = match.groups?.["id"] ?? "";
      // "EUR 1200" and "usd50" are amounts.
      if (!/^(?:eur|usd|cny|rmb)\d/i.test(id)) return { id, raw: match[0] };
    }
  }
  return undefined;
}
