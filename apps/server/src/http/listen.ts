import { AssayError } from "@assay/schemas"

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Opens the server's address. `listen` is what opens it, and returns the URL.
 * @throws `address_in_use`; `bad_settings` if the system does not let it open
 */
export async function listen(
  { host, port }: ListenAddress,
  listen: (address: ListenAddress) => Promise<string>,
): Promise<string> {
  try {
    return await listen({ host, port })
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    const context = { host, port }
    switch (code) {
      case "EADDRINUSE": {
        const message = `Port ${port} of ${host} is in use by another program: choose another port with --port or PORT (0 takes a free one), or stop that program.`
        throw new AssayError("address_in_use", message, { cause, context })
      }
      case "EACCES": {
        const message = `This user may not listen on port ${port} of ${host}: set PORT (or --port) to one from 1024 on.`
        throw new AssayError("bad_settings", message, { cause, context })
      }
      case "EADDRNOTAVAIL":
      case "ENOTFOUND": {
        const message = `This machine has no address '${host}' to listen on: set HOST (or --host) to one that it has, such as 127.0.0.1, or 0.0.0.0 for all.`
        throw new AssayError("bad_settings", message, { cause, context })
      }
      default:
        throw cause
    }
  }
}
