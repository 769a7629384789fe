import type { ErrorEntry } from "./error-entry.ts"

/** The ways in which the place where bytes live can fail: its configuration, the way to it, and what it answers. */
export const STORAGE_ERRORS = {
  storage_not_usable: {
    status: 400,
    meaning: "The backend was asked, and does not serve this storage configuration.",
    remedy: "Correct what the message names: the secret, the bucket, repository or asset, the region, the revision.",
    retry: "never",
  },
  host_not_allowed: {
    status: 400,
    meaning: "The address is not one that this server may reach.",
    remedy:
      "Use a public address, or have the operator add the host to the setting that the message names: ASSAY_ALLOWED_HOSTS for filesets, ASSAY_ALLOWED_INFERENCE_HOSTS for models.",
    retry: "never",
  },
  secret_not_readable: {
    status: 400,
    meaning: "A referenced secret does not exist or may not be used by the caller.",
    remedy: "Create the secret, or name one of a workspace in which you may use secrets.",
    retry: "never",
  },
  encryption_key_missing: {
    status: 409,
    meaning: "Secrets are sealed with an encryption key that the server does not have; nothing was changed.",
    remedy:
      "Put the key back where the message says. To give the secrets up, run `assay secret discard-unreadable` and set them again.",
    retry: "never",
  },
  storage_not_allowed: {
    status: 400,
    meaning: "This server does not accept that storage configuration.",
    remedy: "Leave `storage` out to use the server's default storage, or ask the operator to allow it.",
    retry: "never",
  },
  upstream_refused: {
    status: 502,
    meaning: "The backend refuses the secret that it is asked with.",
    remedy: "Set the secret to a key that is valid and has the right to read there; the next request uses it.",
    retry: "never",
  },
  upstream_gated: {
    status: 502,
    meaning: "The repository or asset is only for those whom its owner admits.",
    remedy: "Ask for access on its page with the account of the token, or accept its licence there.",
    retry: "never",
  },
  upstream_misconfigured: {
    status: 502,
    meaning: "The backend says that it is asked in the wrong way: region, address, signature version or clock.",
    remedy: "Correct what the message names.",
    retry: "never",
  },
  upstream_missing: {
    status: 404,
    meaning: "The bucket, repository, asset, version or revision of the fileset is not there.",
    remedy: "Check its name at the backend, and that the secret may see it.",
    retry: "never",
  },
  upstream_failed: {
    status: 502,
    meaning: "The backend that holds the bytes could not be reached or answered wrongly.",
    remedy: "Check the backend that the message names.",
    retry: "later",
  },
  content_damaged: {
    status: 502,
    meaning: "The bytes of the file on the disk are not those that were written; they were not sent as that file.",
    remedy: "Write the file again or restore it from a backup, and have the disk checked.",
    retry: "never",
  },
  upstream_timeout: {
    status: 504,
    meaning:
      "The backend that holds the bytes took the request and gave no answer in time, with every retry (40 s in all).",
    remedy: "Check that the backend is up and not overloaded, and try again later.",
    retry: "later",
  },
  storage_changed: {
    status: 502,
    meaning: "A file changed while it was read; no mixed bytes were sent.",
    remedy: "Read it again.",
    retry: "later",
  },
} as const satisfies Record<string, ErrorEntry>
