import { COMMAND_ERRORS } from "./command-errors.ts"
import type { ErrorEntry } from "./error-entry.ts"
import { EVALUATION_ERRORS, JOB_ERRORS } from "./evaluation-errors.ts"
import { GUARDRAIL_ERRORS } from "./guardrail-errors.ts"
import { INFERENCE_ERRORS } from "./inference-errors.ts"
import { STORAGE_ERRORS } from "./storage-errors.ts"

/**
 * Every way in which a request can fail, by code. The list is closed: no error can have another code.
 * The error page of the documentation is generated from this table.
 */
export const ERROR_CATALOGUE = {
  ...COMMAND_ERRORS,
  ...STORAGE_ERRORS,
  ...INFERENCE_ERRORS,
  ...GUARDRAIL_ERRORS,
  ...EVALUATION_ERRORS,
  ...JOB_ERRORS,
  invalid_request: {
    status: 422,
    meaning: "A field of the request has a wrong type or value.",
    remedy: "Correct each field that is named, by the rule next to it.",
    retry: "never",
  },
  schema_too_costly: {
    status: 400,
    meaning: "A row schema is too large, or compiling it or checking values with it takes too much time or memory.",
    remedy:
      "Make the schema smaller: remove alternatives that repeat each other, and references that reach the same schema in many ways.",
    retry: "never",
  },
  bad_request: {
    status: 400,
    meaning: "The request can't be read as HTTP: its framing, its encoding or a header is wrong.",
    remedy: "Correct what the message names.",
    retry: "never",
  },
  unknown_guardrail: {
    status: 400,
    meaning: "A request names a guardrail configuration that does not exist, or that the caller may not see.",
    remedy: "Use the name of a configuration that is listed, or `<workspace>/<name>` for one of another workspace.",
    retry: "never",
  },
  unknown_filter_field: {
    status: 400,
    meaning: "The filter names a field that the records do not have.",
    remedy: "Use one of the fields in the message; custom fields are written `metadata.x` and `custom_fields.x`.",
    retry: "never",
  },
  bad_filter: {
    status: 400,
    meaning: "The filter can't be read.",
    remedy: "Correct what the message names; a filter can be written with brackets, as JSON or as text.",
    retry: "never",
  },
  bad_path: {
    status: 400,
    meaning: "The path can't be the path of a file in a fileset.",
    remedy:
      "Use a relative path of at most 1024 bytes without empty segments, `.`, `..`, backslashes or control characters. The name of a new file can't have controls of bidirectional text either.",
    retry: "never",
  },
  not_a_row_file: {
    status: 400,
    meaning: "The file is not a row file.",
    remedy:
      "Name a file that ends in .jsonl, .ndjson, .json, .csv, .tsv or .parquet; all but Parquet can be compressed as .gz or .zst.",
    retry: "never",
  },
  not_a_checkpoint: {
    status: 400,
    meaning: "The files are not a model checkpoint.",
    remedy: "Add the files that the message names, or name the fileset or folder that contains the checkpoint.",
    retry: "never",
  },
  broken_checkpoint: {
    status: 400,
    meaning: "A file of the checkpoint is missing, truncated or damaged.",
    remedy:
      "Replace the files that the message names by whole ones from their source; `git lfs pull` fetches those that are pointers of git LFS.",
    retry: "never",
  },
  bad_signature: {
    status: 422,
    meaning: "The signature of a model can't be read, was changed, or its key can't sign models.",
    remedy:
      "Sign with an elliptic curve key, and verify with its public key or the root of its certificates. If the signature is damaged, get it again from where the model is published.",
    retry: "never",
  },
  bad_page_token: {
    status: 400,
    meaning: "The page token does not belong to this listing.",
    remedy: "Send `next_page_token` of the previous response unchanged, or leave it out to start again.",
    retry: "never",
  },
  checksum_mismatch: {
    status: 400,
    meaning: "The received bytes do not match the digest that was sent with them; nothing was changed.",
    remedy: "Send the file again; if it fails again, recompute the digest.",
    retry: "never",
  },
  bad_checksum: {
    status: 400,
    meaning: "A digest header can't be read.",
    remedy:
      "Send SHA-256 as hex or base64 in x-checksum-sha256, or SHA-256, SHA-512 or MD5 as Content-Digest (RFC 9530).",
    retry: "never",
  },
  bad_upload: {
    status: 400,
    meaning: "The body of the upload can't be read.",
    remedy: "Send raw bytes, or multipart/form-data with one part named `file`.",
    retry: "never",
  },
  unauthorized: {
    status: 401,
    meaning: "The request has no token, or an invalid one.",
    remedy: "Send `Authorization: Bearer <token>`; `assay token create` creates a token.",
    retry: "never",
  },
  forbidden: {
    status: 403,
    meaning: "The token does not allow this operation.",
    remedy: "Ask for a token with the role that the message names.",
    retry: "never",
  },
  cross_site: {
    status: 403,
    meaning: "A browser sent this write request from a page of another site.",
    remedy: "If the page is yours, ask the operator to add its origin to ASSAY_ALLOWED_ORIGINS.",
    retry: "never",
  },
  not_found: {
    status: 404,
    meaning: "What the request names does not exist.",
    remedy: "Check the name; listings show the existing names.",
    retry: "never",
  },
  method_not_allowed: {
    status: 405,
    meaning: "The backend or the route does not support this operation.",
    remedy: "Write to a fileset on writable storage; the Allow header lists the methods of the route.",
    retry: "never",
  },
  upload_idle: {
    status: 408,
    meaning: "The client sent no data for too long; nothing of the upload was kept.",
    remedy: "Send the file again, or use a resumable upload.",
    retry: "later",
  },
  already_exists: {
    status: 409,
    meaning: "The name is already used.",
    remedy: "Choose another name, or update the existing record.",
    retry: "never",
  },
  in_use: {
    status: 409,
    meaning: "It can't be removed while other records use it.",
    remedy:
      "If other records use it, change or remove them first; the option that the message names removes it anyway.",
    retry: "never",
  },
  auth_off: {
    status: 409,
    meaning: "The server identifies no callers, so tokens have no effect on it.",
    remedy: "Create an admin's token with `assay token create`, then start the server with ASSAY_AUTH=tokens.",
    retry: "never",
  },
  last_admin_token: {
    status: 409,
    meaning: "No valid token with the role admin in all workspaces would be left.",
    remedy: "Create another such token first, or use `assay token revoke` on the machine of the server.",
    retry: "never",
  },
  too_many_tokens: {
    status: 409,
    meaning: "The server has the maximum number of tokens.",
    remedy: "Revoke tokens that have expired or are not used.",
    retry: "never",
  },
  path_conflict: {
    status: 409,
    meaning: "There is a file where a folder is needed, or a folder where a file is needed.",
    remedy: "Choose another path, or delete what is in the way.",
    retry: "never",
  },
  upload_offset: {
    status: 409,
    meaning: "The offset is not the current offset of the upload.",
    remedy: "Get the current offset with HEAD and continue from there.",
    retry: "never",
  },
  upload_gone: {
    status: 410,
    meaning: "The upload has expired or is complete.",
    remedy: "Start a new upload.",
    retry: "never",
  },
  revision_gone: {
    status: 410,
    meaning: "The bytes of a file at this revision are gone. The message says when and why.",
    remedy:
      "Use a later revision. The operator decides with ASSAY_HISTORY_DAYS and ASSAY_HISTORY_MAX_BYTES how much is kept.",
    retry: "never",
  },
  precondition_failed: {
    status: 412,
    meaning: "The file does not fulfil If-Match or If-None-Match; nothing was changed.",
    remedy: "Read the current ETag, then decide whether to send the request again.",
    retry: "never",
  },
  too_large: {
    status: 413,
    meaning: "The body is larger than the server accepts.",
    remedy: "Stay below the limit in the message, or ask the operator to raise it.",
    retry: "never",
  },
  unsupported_media: {
    status: 415,
    meaning: "This route does not accept the content type of the body.",
    remedy: "Send the content type that the message names.",
    retry: "never",
  },
  range_not_satisfiable: {
    status: 416,
    meaning: "No byte of the file is in the range.",
    remedy: "Choose a range within the size of the file, which Content-Range contains.",
    retry: "never",
  },
  too_many_requests: {
    status: 429,
    meaning: "Too many requests of this kind came from the same address.",
    remedy: "Wait for the time in Retry-After.",
    retry: "later",
  },
  upload_locked: {
    status: 423,
    meaning: "Another connection is sending bytes of the same upload.",
    remedy: "Wait until it ends, get the offset with HEAD and continue from there.",
    retry: "later",
  },
  upload_checksum: {
    status: 460,
    meaning: "A part of a resumable upload does not match its checksum; the part was discarded.",
    remedy: "Send the same part again.",
    retry: "later",
  },
  internal: {
    status: 500,
    meaning: "An error in Assay itself.",
    remedy: "Report it with the request id; the server's log has the details.",
    retry: "later",
  },
  unsupported: {
    status: 501,
    meaning: "The backend does not support this; nothing was done.",
    remedy: "Leave the condition out, or use a storage with this capability.",
    retry: "never",
  },
  unavailable: {
    status: 503,
    meaning: "The server can't handle the request now.",
    remedy: "Try again after the time in Retry-After.",
    retry: "later",
  },
  disk_full: {
    status: 507,
    meaning: "There is no room left for the bytes; nothing was changed.",
    remedy: "Free space on the storage, then send the file again.",
    retry: "later",
  },
  bad_settings: {
    status: 500,
    meaning: "The settings of the server or of the command are wrong.",
    remedy: "Correct every setting that the message names.",
    retry: "never",
  },
  address_in_use: {
    status: 500,
    meaning: "Another program already listens on the server's address.",
    remedy: "Choose another port with --port or PORT, or stop the other program.",
    retry: "never",
  },
} as const satisfies Record<string, ErrorEntry>

/** The code of an error. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE
