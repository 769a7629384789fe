import type { ErrorEntry } from "./error-entry.ts"
import { EVALUATION_ERRORS, JOB_ERRORS } from "./evaluation/evaluation-errors.ts"
import { GUARDRAIL_ERRORS } from "./guardrails/guardrail-errors.ts"
import { INFERENCE_ERRORS } from "./inference/inference-errors.ts"
import { STORAGE_ERRORS } from "./storage-errors.ts"

/**
 * Every way in which a request can fail, by code. The list is closed: an error with another code can't be made.
 * The error page of the documentation is written from this table.
 */
export const ERROR_CATALOGUE = {
  ...STORAGE_ERRORS,
  ...INFERENCE_ERRORS,
  ...GUARDRAIL_ERRORS,
  ...EVALUATION_ERRORS,
  ...JOB_ERRORS,
  invalid_request: {
    status: 422,
    meaning: "A field of the request has a wrong type or value.",
    remedy: "Each item of `detail` names the place (`loc`) and the rule (`msg`): correct that field.",
    retry: "never",
  },
  schema_too_costly: {
    status: 400,
    meaning:
      "A row schema is larger than schemas may be, or takes more time or memory than it may to compile it or to check values with it.",
    remedy:
      "Make the schema smaller: replace alternatives that repeat each other, and references that lead to the same schema on many ways.",
    retry: "never",
  },
  bad_request: {
    status: 400,
    meaning: "The request can't be read as HTTP: its framing, its encoding or a header is wrong.",
    remedy: "Correct what the message names.",
    retry: "never",
  },
  unknown_filter_field: {
    status: 400,
    meaning: "The filter names a field that the records don't have.",
    remedy: "Use one of the fields in the message; free fields are written `metadata.x` and `custom_fields.x`.",
    retry: "never",
  },
  bad_filter: {
    status: 400,
    meaning: "The filter can't be read.",
    remedy: "Look at the position in the message; brackets, JSON and text are the three forms.",
    retry: "never",
  },
  bad_path: {
    status: 400,
    meaning: "The path can't name a file inside a fileset.",
    remedy:
      "Use a relative path without empty segments, `.`, `..`, backslashes or control characters, up to 1024 bytes. The name of a new file has no controls of bidirectional text either.",
    retry: "never",
  },
  not_a_row_file: {
    status: 400,
    meaning: "The file is none that rows are read from.",
    remedy:
      "Name a file that ends in .jsonl, .ndjson, .json, .csv, .tsv or .parquet; all but Parquet may go on with .gz or .zst.",
    retry: "never",
  },
  not_a_checkpoint: {
    status: 400,
    meaning: "The files are not those of a model's checkpoint.",
    remedy: "Add what the message says is missing, or name the fileset or folder that holds the checkpoint.",
    retry: "never",
  },
  broken_checkpoint: {
    status: 400,
    meaning: "A file of the checkpoint is missing, cut short, or not what it says it is.",
    remedy: "Upload the files that the message names again, from where they came.",
    retry: "never",
  },
  bad_page_token: {
    status: 400,
    meaning: "The page token was not issued for this listing.",
    remedy: "Take `next_page_token` from the previous answer unchanged, or leave it out to start again.",
    retry: "never",
  },
  checksum_mismatch: {
    status: 400,
    meaning: "The bytes received do not have the digest that came with them; nothing was changed.",
    remedy: "Send the file again; if it happens twice, compute the digest again.",
    retry: "never",
  },
  bad_checksum: {
    status: 400,
    meaning: "A digest header can't be read.",
    remedy: "Send SHA-256 as hex or base64 in x-checksum-sha256, or an RFC 9530 Content-Digest.",
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
    meaning: "The request carries no token, or one that is not valid.",
    remedy: "Send `Authorization: Bearer <token>`; `assay token create` makes one.",
    retry: "never",
  },
  forbidden: {
    status: 403,
    meaning: "The token lacks the right for this.",
    remedy: "Ask for a token with the role that the message names.",
    retry: "never",
  },
  cross_site: {
    status: 403,
    meaning: "A browser sent the write for a page of another site.",
    remedy: "If the page is yours, let the operator add its origin to ASSAY_ALLOWED_ORIGINS.",
    retry: "never",
  },
  not_found: {
    status: 404,
    meaning: "Nothing is there under that name.",
    remedy: "Check the name; listings show what is there.",
    retry: "never",
  },
  method_not_allowed: {
    status: 405,
    meaning: "The backend or the route does not take this operation.",
    remedy: "Write to a fileset on writable storage; the Allow header lists the methods of a route.",
    retry: "never",
  },
  upload_idle: {
    status: 408,
    meaning: "The client sent nothing for too long; the upload was dropped without a trace.",
    remedy: "Send the file again, or use a resumable upload.",
    retry: "later",
  },
  already_exists: {
    status: 409,
    meaning: "The name is taken.",
    remedy: "Choose another name, or update what is there.",
    retry: "never",
  },
  in_use: {
    status: 409,
    meaning: "It can't be removed while other records need it.",
    remedy: "Remove those first, or ask for `cascade=true` or `force=true` where the route has it.",
    retry: "never",
  },
  path_conflict: {
    status: 409,
    meaning: "A file stands where a folder is needed, or the other way round.",
    remedy: "Choose another path, or delete what is in the way.",
    retry: "never",
  },
  upload_offset: {
    status: 409,
    meaning: "The offset is not where the upload stands.",
    remedy: "Ask with HEAD for the current offset and go on from there.",
    retry: "never",
  },
  upload_gone: {
    status: 410,
    meaning: "The upload has expired or was finished.",
    remedy: "Start a new upload.",
    retry: "never",
  },
  precondition_failed: {
    status: 412,
    meaning: "The file is not the one that If-Match or If-None-Match asked for; nothing was changed.",
    remedy: "Read the current ETag and decide again.",
    retry: "never",
  },
  too_large: {
    status: 413,
    meaning: "The body is larger than the server takes.",
    remedy: "Stay below the limit in the message, or ask the operator to raise it.",
    retry: "never",
  },
  unsupported_media: {
    status: 415,
    meaning: "The body has a content type that this route does not take.",
    remedy: "Send the content type that the message names.",
    retry: "never",
  },
  range_not_satisfiable: {
    status: 416,
    meaning: "No byte of the file lies in the range.",
    remedy: "Content-Range tells the size of the file.",
    retry: "never",
  },
  too_many_requests: {
    status: 429,
    meaning: "Too many requests of this kind came from one address.",
    remedy: "Wait for the time in Retry-After.",
    retry: "later",
  },
  upload_locked: {
    status: 423,
    meaning: "Another connection is sending bytes of the same upload.",
    remedy: "Wait until it ends, ask with HEAD for the offset and go on from there.",
    retry: "later",
  },
  upload_checksum: {
    status: 460,
    meaning: "A piece of a resumable upload does not have the checksum that came with it; the piece was dropped.",
    remedy: "Send the same piece again.",
    retry: "later",
  },
  internal: {
    status: 500,
    meaning: "A fault of ours.",
    remedy: "Report it with the request id; the server's log has the rest.",
    retry: "later",
  },
  unsupported: {
    status: 501,
    meaning: "The backend can't do this, and nothing was done instead.",
    remedy: "Leave the condition out, or use a storage that has the capability.",
    retry: "never",
  },
  unavailable: {
    status: 503,
    meaning: "The server can't answer now.",
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
    meaning: "Another program listens on the address of the server.",
    remedy: "Choose another port with --port or PORT, or stop what listens there.",
    retry: "never",
  },
  server_unreachable: {
    status: 502,
    meaning: "No Assay server answers at the address.",
    remedy: "Start one with `assay serve`, or set ASSAY_URL.",
    retry: "later",
  },
  bad_answer: {
    status: 502,
    meaning: "The server's answer is not one of Assay's.",
    remedy: "Check that the address is an Assay server and that no proxy stands in between.",
    retry: "later",
  },
  bad_usage: {
    status: 400,
    meaning: "The command line can't be understood.",
    remedy: "Run the command with --help.",
    retry: "never",
  },
  local_file_failed: {
    status: 500,
    meaning: "A file or folder of this machine can't be read or written.",
    remedy: "Check that it is there, who owns it and what its mode allows.",
    retry: "never",
  },
  bad_backup: {
    status: 400,
    meaning: "The archive is not a whole backup of Assay; nothing was restored.",
    remedy: "Use another backup, or fetch this one again from where it is kept.",
    retry: "never",
  },
  transfer_incomplete: {
    status: 502,
    meaning: "Some files of a transfer could not be moved.",
    remedy: "Correct what is named above, then run the same command again: what has arrived is not sent twice.",
    retry: "later",
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERROR_CATALOGUE
