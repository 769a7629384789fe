import type { ModelAddress } from "@assay/imports"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"

/** Parses `URL#name` of a model. @throws `bad_usage` */
export function parseModelAddress(written: string | undefined, option: string): ModelAddress | undefined {
  if (written === undefined) return undefined
  const at = written.lastIndexOf("#")
  const address = { url: written.slice(0, Math.max(0, at)), name: written.slice(at + 1) }
  if (at > 0 && URL.canParse(address.url) && address.name !== "") return address
  const message = `${option} '${printable(written)}' is not a model; write its address and its name, such as http://127.0.0.1:9000/v1#chat.`
  throw new AssayError("bad_usage", message)
}
