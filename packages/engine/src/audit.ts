// What an auditor needs, without a server or an engine: `@holdpoint/engine/audit`.
export type { AuditFinding, AuditSource } from "./audit/audit-source.ts";
export { openAudit } from "./audit/open-audit.ts";
export { exportAudit } from "./audit/export-audit.ts";
export type { RedactionPolicy } from "./audit/redact.ts";
export { createKeyFile, fingerprintOf, readPublicKey } from "./audit/signing-key.ts";
export { type AuditReport, verifyAudit, type VerifyOptions } from "./audit/verify-audit.ts";
