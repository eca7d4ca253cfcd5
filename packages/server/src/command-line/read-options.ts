import { parseArgs } from "node:util";
import { HoldpointError } from "@holdpoint/core";

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

/** The options of a command; anything else is answered with its usage. */
export function readOptions<Known extends Options>(
  args: readonly string[],
  options: Known,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new HoldpointError("config_invalid", usage, { cause });
  }
}
