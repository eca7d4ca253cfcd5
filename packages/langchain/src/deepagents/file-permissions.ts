import type { FilesystemPermission } from "deepagents";
import { decisionTypes, HoldpointError, type Verdict } from "@holdpoint/core";
import { z } from "zod";
import type { Guardrail } from "../gate/guardrail.ts";
import { type FileCall, readFileCall } from "./file-call.ts";
import { anchorOf, coversAllBelow, globMatches, isWithin, mayReach } from "./glob-reach.ts";

/** A rule of deepagents' `permissions`, with a third mode: `interrupt` asks a person first. */
export type HeldPermission = Omit<FilesystemPermission, "mode"> & {
  readonly mode?: "allow" | "deny" | "interrupt";
};

const permissionSchema = z.strictObject({
  operations: z.array(z.enum(["read", "write"])).min(1),
  paths: z.array(z.string().startsWith("/", "must start with /")).min(1),
  mode: z.enum(["allow", "deny", "interrupt"]).optional(),
});

/** Checks the rules; throws `config_invalid` that names the key. deepagents takes a mode it does not know for `allow`. */
export function checkPermissions(permissions: readonly HeldPermission[], where: string): void {
  const read = z.array(permissionSchema).safeParse(permissions);
  if (read.success) return;
  const issue = read.error.issues[0];
  const key = [where, ...(issue?.path ?? [])].join(".");
  throw new HoldpointError(
    "config_invalid",
    `${key} is not valid: ${issue?.message ?? "unknown problem"}. Expected { operations: ["read", "write"], paths: ["/…"], mode: "allow", "deny" or "interrupt" }.`,
    { details: { key } },
  );
}

/** The rules as deepagents knows them: what a person has approved is allowed. */
export function plainPermissions(permissions: readonly HeldPermission[]): FilesystemPermission[] {
  return permissions.map(({ mode, ...rule }) => ({
    ...rule,
    mode: mode === "deny" ? "deny" : "allow",
  }));
}

/**
 * Judges a call of a file tool by the rules, in their order; the first that has a say decides, as in
 * deepagents. `undefined` when none has, and where deepagents answers by itself.
 */
export function filePermissions(
  permissions: readonly HeldPermission[],
  where: string,
): Guardrail | undefined {
  if (permissions.length === 0) return undefined;
  return ({ name, args }) => {
    const call = readFileCall(name, args);
    if (call === undefined) return undefined;
    const deciding = call.paths.map((path) =>
      permissions.findIndex((rule) => hasSay(rule, call, path)),
    );
    const index = deciding.reduce((strictest, one) =>
      strictness(permissions[one]) > strictness(permissions[strictest]) ? one : strictest,
    );
    const rule = permissions[index];
    return rule === undefined ? undefined : verdictOf(name, call, rule, `${where}[${index}]`);
  };
}

/** Over a whole tree `allow` and `deny` have a say only when they hold for all of it, `interrupt` when it reaches any of it. */
function hasSay(rule: HeldPermission, call: FileCall, path: string): boolean {
  if (!rule.operations.includes(call.operation)) return false;
  const asks = rule.mode === "interrupt";
  if (asks && call.isAnywhere === true) return true;
  return rule.paths.some((pattern) => {
    switch (call.scope) {
      case "file":
        return globMatches(path, pattern);
      case "folder":
        return globMatches(path, pattern) || (asks && isWithin(path, anchorOf(pattern)));
      case "tree":
        return asks ? mayReach(path, pattern) : coversAllBelow(path, pattern);
      default:
        return call.scope satisfies never;
    }
  });
}

function strictness(rule: HeldPermission | undefined): number {
  if (rule === undefined) return 0;
  return { allow: 1, interrupt: 2, deny: 3 }[rule.mode ?? "allow"];
}

function verdictOf(
  tool: string,
  { scope, operation }: FileCall,
  rule: HeldPermission,
  place: string,
): Verdict | undefined {
  const mode = rule.mode ?? "allow";
  const name = `${place} (${operation} ${rule.paths.join(", ")})`;
  switch (mode) {
    case "allow":
      return { type: "allow", rule: name, reason: `${place} lets ${tool} run there.` };
    case "deny":
      // Of a folder deepagents leaves out what is denied; only a file is refused whole.
      return scope === "file"
        ? {
            type: "deny",
            rule: name,
            reason: `permission denied for ${operation}; ${place} says so`,
          }
        : undefined;
    case "interrupt":
      return {
        type: "review",
        rule: name,
        reason: `${tool} asks a person first there, because ${place} says so.`,
        reasonCode: "permission",
        allowedDecisions: decisionTypes,
      };
    default:
      return mode satisfies never;
  }
}
