import { openAuditFile } from "../storage/sqlite/audit-source.ts";
import type { AuditFinding, AuditSource } from "./audit-source.ts";
import { openAuditExport } from "./export-audit.ts";
import { fingerprintOf, readPublicKey } from "./signing-key.ts";
import { type LinksReport, type MissingEvent, verifyLinks } from "./verify-links.ts";
import { verifySealsFile } from "./verify-seals-file.ts";
import { verifySeals } from "./verify-seals.ts";

/** What to verify, and against what. */
export type VerifyOptions = {
  readonly audit:
    { readonly database: string } | { readonly export: string } | { readonly source: AuditSource };
  readonly sealsFile?: string;
  /** Files of the keys that may have signed; without them, whatever key signed the first seal. */
  readonly publicKeys?: readonly string[];
};

/** What was counted, and the first thing that is wrong, if any. */
export type AuditReport = {
  readonly events: number;
  readonly streams: number;
  readonly seals: number;
  /** Events that no seal covers yet. */
  readonly unsealed: number;
  /** Events of an export whose content cannot be checked, because values were left out. */
  readonly redacted: number;
  /** Events whose bodies were erased, as a record in the audit says. */
  readonly erased: number;
  /** Short names of the keys that signed. */
  readonly keys: readonly string[];
  readonly finding?: AuditFinding;
};

const nothing = { events: 0, streams: 0, seals: 0, unsealed: 0, redacted: 0, erased: 0, keys: [] };

/** How the links are checked; a test leaves it out to see that it is needed. */
export type LinkCheck = (source: AuditSource, missing?: MissingEvent) => LinksReport;

/**
 * Verifies an audit on its own: each stream's links, each seal, that the seals cover the events, and that the
 * seals file says the same. Memory does not grow with the audit. It works without a pause until it is done,
 * and closes the source.
 */
export function verifyAudit(
  options: VerifyOptions,
  checkLinks: LinkCheck = verifyLinks,
): AuditReport {
  const trusted = (options.publicKeys ?? []).map(readPublicKey);
  const opened =
    "export" in options.audit
      ? openAuditExport(options.audit.export)
      : {
          source:
            "source" in options.audit
              ? options.audit.source
              : openAuditFile(options.audit.database),
        };
  if ("finding" in opened) {
    const { finding } = opened;
    return { ...nothing, finding };
  }
  const { source } = opened;
  try {
    const sealed = verifySeals(source, trusted);
    const links = checkLinks(source, sealed.missing);
    const findings = [links.finding, sealed.finding].filter((one) => one !== undefined);
    if (findings.length === 0) {
      const inFile =
        options.sealsFile === undefined ? undefined : verifySealsFile(options.sealsFile, source);
      if (inFile !== undefined) findings.push(inFile);
      else if (source.cut !== undefined)
        findings.push({ problem: "missing", position: links.events + 1, message: source.cut });
    }
    const [finding] = findings.toSorted((left, right) => left.position - right.position);
    const { events, streams, redacted, erased } = links;
    const { seals } = sealed;
    const unsealed = events - sealed.sealed;
    const keys = [...sealed.keys].map(fingerprintOf);
    const counts = { events, streams, seals, unsealed, redacted, erased, keys };
    return finding === undefined ? counts : { ...counts, finding };
  } finally {
    source.close();
  }
}
