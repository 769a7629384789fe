/**
 * The header of the response to the deletion of an evaluation job: until when the trash keeps it. Apart from the schemas, because the client in
 * a browser reads it without loading them.
 */
export const RESTORABLE_UNTIL = "x-assay-restorable-until"
