import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect } from "../option-values.ts"

const WHERE =
  "A model is a folder of this machine, which needs no server, if it exists or begins with '.', '/' or '~'. Any other model is a fileset, whose bytes are read."

/** Declares `fileset sign|verify`. */
export function addSignatureCommands(fileset: Command, bind: Bind): void {
  addCommand(fileset, "sign <model>", {
    summary: "sign all files of a model, so that others can verify them",
    details: `${WHERE} The signature is one of OpenSSF Model Signing, which other programs verify, too. The key never leaves this machine. With --certificate, whoever trusts the root of the certificates can verify it.`,
    json: "print the path of the signature and the number of files as JSON",
    examples: [
      "assay fileset sign ./llama-3.1-8b --key signing.pem",
      "assay fileset sign default/llama-3.1-8b --key signing.pem --force",
    ],
  })
    .requiredOption("--key <file>", "private key (PEM) on the curve P-256, P-384 or P-521")
    .option("--certificate <file>", "certificates of the key, the signer's first; can be repeated", collect)
    .option("--signature <path>", "path of the signature in the model", "model.sig")
    .option("--force", "replace the signature that is there")
    .action(bind(async () => (await import("./sign-model.ts")).signModel))
  addCommand(fileset, "verify <model>", {
    summary: "verify that the files of a model are those that somebody signed",
    details: `${WHERE} Exit code 0: verified. 1: a file differs. 2: there is no signature, or it can't be read. 3: the signer is not trusted.`,
    json: "print the state, the signer and the files that differ as JSON",
    examples: [
      "assay fileset verify ./llama-3.1-8b --key signing.pub.pem",
      "assay fileset verify default/llama-3.1-8b --key ./trusted --json",
    ],
  })
    .option(
      "--key <path>",
      "file or folder of trusted public keys and root certificates (PEM); can be repeated (ASSAY_TRUSTED_KEYS)",
      collect,
    )
    .option("--signature <path>", "path of the signature in the model", "model.sig")
    .option("--ignore <path>", "file or folder of the model that need not be signed; can be repeated", collect)
    .action(bind(async () => (await import("./verify-model.ts")).verifyModel))
}
