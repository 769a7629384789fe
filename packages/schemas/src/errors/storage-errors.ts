import type { ErrorEntry } from "./error-entry.ts"

/** The errors of storage backends: of their configuration, of the connection and of their responses. */
export const STORAGE_ERRORS = {
  storage_not_usable: {
    status: 400,
    meaning: "The backend does not accept this storage configuration.",
    remedy: "Correct what the message names: the secret, the bucket, repository or asset, the region or the revision.",
    retry: "never",
  },
  host_not_allowed: {
    status: 400,
    meaning: "The server is not allowed to connect to this address.",
    remedy:
      "Use a public address, or ask the operator to add the host to the setting that the message names: ASSAY_ALLOWED_HOSTS for filesets, ASSAY_ALLOWED_INFERENCE_HOSTS for models.",
    retry: "never",
  },
  secret_not_readable: {
    status: 400,
    meaning: "A referenced secret does not exist, or the caller may not use it.",
    remedy: "Create the secret, or name a secret of a workspace whose secrets you may use.",
    retry: "never",
  },
  encryption_key_missing: {
    status: 409,
    meaning: "Secrets are encrypted with a key that the server does not have; nothing was changed.",
    remedy:
      "Put the key back where the message says. If the key is lost, run `assay secret discard-unreadable` and set the secrets again.",
    retry: "never",
  },
  storage_not_allowed: {
    status: 400,
    meaning: "This server does not allow this storage configuration.",
    remedy: "Leave `storage` out to use the server's default storage, or ask the operator to allow it.",
    retry: "never",
  },
  upstream_refused: {
    status: 502,
    meaning: "The backend refuses the secret of the fileset.",
    remedy: "Set the secret to a valid key with the right to read; the next request uses it.",
    retry: "never",
  },
  upstream_gated: {
    status: 502,
    meaning: "Access to the repository or asset has to be granted by its owner.",
    remedy: "Request access on its page with the account of the token, or accept its licence there.",
    retry: "never",
  },
  upstream_misconfigured: {
    status: 502,
    meaning: "The backend reports a wrong configuration: region, address, signature version or clock.",
    remedy: "Correct what the message names.",
    retry: "never",
  },
  upstream_missing: {
    status: 404,
    meaning: "The bucket, repository, asset, version or revision of the fileset does not exist.",
    remedy: "Check its name at the backend, and that the secret has access to it.",
    retry: "never",
  },
  upstream_failed: {
    status: 502,
    meaning: "The storage backend could not be reached, or gave an invalid response.",
    remedy: "Check the backend that the message names.",
    retry: "later",
  },
  content_damaged: {
    status: 502,
    meaning: "The bytes of the file on the disk are not the bytes that were written; the file was not sent.",
    remedy: "Write the file again or restore it from a backup, and check the disk.",
    retry: "never",
  },
  upstream_timeout: {
    status: 504,
    meaning: "The storage backend accepted the request but did not answer in time, after all retries (40 s in total).",
    remedy: "Check that the backend is up and not overloaded, and try again later.",
    retry: "later",
  },
  storage_changed: {
    status: 502,
    meaning: "A file changed while it was read; no mixture of both versions was sent.",
    remedy: "Read it again.",
    retry: "later",
  },
} as const satisfies Record<string, ErrorEntry>
