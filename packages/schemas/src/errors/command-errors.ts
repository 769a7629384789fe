import type { ErrorEntry } from "./error-entry.ts"

/** The errors of commands: of the command line, of files on this machine and of the server that they call. */
export const COMMAND_ERRORS = {
  server_unreachable: {
    status: 502,
    meaning: "No Assay server answers at the address.",
    remedy: "Start one with `assay serve`, or set ASSAY_URL.",
    retry: "later",
  },
  bad_answer: {
    status: 502,
    meaning: "The response does not come from an Assay server.",
    remedy: "Check that the address is that of an Assay server, and that no proxy is in between.",
    retry: "later",
  },
  shards_missing: {
    status: 409,
    meaning: "Results can't be merged, because the rows of some shards are not published.",
    remedy: "Run the shards that the message names again, and merge then.",
    retry: "later",
  },
  output_exists: {
    status: 409,
    meaning: "The results of something else are where a command would write its own.",
    remedy: "Choose another place, or replace them with --force.",
    retry: "never",
  },
  bad_usage: {
    status: 400,
    meaning: "The command line is not valid.",
    remedy: "Run the command with --help.",
    retry: "never",
  },
  bad_document: {
    status: 400,
    meaning: "A file or a text that a command reads is not valid.",
    remedy: "Correct it at the place that the message names.",
    retry: "never",
  },
  not_certified: {
    status: 400,
    meaning: "A certificate does not certify this configuration, or its rows and answers do not confirm it.",
    remedy: "See what differs with `assay guard verify`, or certify the configuration with `assay guard optimize`.",
    retry: "never",
  },
  key_not_allowed: {
    status: 400,
    meaning: "A key of this machine must not be sent to this host, or a variable does not hold a key.",
    remedy:
      "Take a variable whose name contains KEY, TOKEN or SECRET, and name the hosts that may receive it with --key-host or in ASSAY_KEY_HOSTS.",
    retry: "never",
  },
  local_file_failed: {
    status: 500,
    meaning: "A file or folder on this machine can't be read or written.",
    remedy: "Check that it exists, and that its owner and mode allow the access.",
    retry: "never",
  },
  bad_backup: {
    status: 400,
    meaning: "The archive is not a complete backup of Assay; nothing was restored.",
    remedy: "Use another backup, or copy this one again from its original place.",
    retry: "never",
  },
  transfer_incomplete: {
    status: 502,
    meaning: "Some files of a transfer were not copied.",
    remedy: "Correct the named faults, then run the same command again: files that have arrived are not sent again.",
    retry: "later",
  },
} as const satisfies Record<string, ErrorEntry>
