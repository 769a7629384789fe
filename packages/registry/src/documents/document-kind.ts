/**
 * Kinds of documents: records that are a name, a description and free-form `data`, which is checked before it comes here.
 * The key is what the database has in `kind`.
 */
export const DOCUMENT_KINDS = {
  guardrail_configurations: { noun: "Guardrail configuration", idPrefix: "guardrail" },
  evaluation_targets: { noun: "Evaluation target", idPrefix: "eval-target" },
  evaluation_configurations: { noun: "Evaluation configuration", idPrefix: "eval-config" },
} as const satisfies Record<string, { readonly noun: string; readonly idPrefix: string }>

export type DocumentKind = keyof typeof DOCUMENT_KINDS
export type DocumentNoun = (typeof DOCUMENT_KINDS)[DocumentKind]["noun"]
