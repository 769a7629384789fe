import type { AssayError, ErrorCode } from "@assay/schemas/errors"

const COMMANDS: Partial<Record<ErrorCode, string>> = {
  server_unreachable: "assay serve",
  unauthorized: "assay token create NAME --role editor --workspace WORKSPACE",
  forbidden: "assay token create NAME --role editor --workspace WORKSPACE",
  bad_settings: "assay config",
  unavailable: "assay doctor",
  upstream_failed: "assay doctor",
  upstream_timeout: "assay doctor",
}

const MAX_PORT = 65_535

/** The command that helps after `error`, where there is one. `usage` is the name of the command that failed. */
export function commandFor({ code, message, context }: AssayError, usage: string): string | undefined {
  if (code === "bad_usage") return ["assay", usage, "--help"].filter((word) => word !== "").join(" ")
  const { port } = context
  if (code === "address_in_use" && typeof port === "number") return `assay serve --port ${nextPort(port)}`
  return code === "not_found" ? listingFor(message) : COMMANDS[code]
}

function nextPort(port: number): number {
  return port < MAX_PORT ? port + 1 : port - 1
}

/** The listing that shows what is there instead of the thing that the message begins with. */
function listingFor(message: string): string | undefined {
  const [, workspace] = / in workspace '([\w.@+-]+)'/.exec(message) ?? []
  const [, fileset] = / in fileset '([\w.@+/-]+)'/.exec(message) ?? []
  const within = workspace === undefined ? "" : ` --workspace ${workspace}`
  if (message.startsWith("Workspace ")) return "assay workspace list"
  if (message.startsWith("Evaluation job ")) return "assay eval list"
  if (message.startsWith("Secret ")) return `assay secret list${within}`
  if (message.startsWith("Fileset ")) return `assay fileset list${within}`
  return message.startsWith("File ") && fileset !== undefined ? `assay ls ${fileset}` : undefined
}
