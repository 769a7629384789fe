/** The code of a connection that the peer broke off during the TLS handshake. */
export const HANDSHAKE_RESET = "ERR_TLS_HANDSHAKE_RESET"

/** The codes of a server that speaks only versions of TLS before 1.2: it sends an alert, or chooses such a version. */
export const OLD_TLS_CODES: readonly string[] = ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "ERR_SSL_UNSUPPORTED_PROTOCOL"]

type Callback<Socket> = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void
type Connector<Options, Socket> = (options: Options, callback: Callback<Socket>) => void

const RESETS = new Set(["ECONNRESET", "EPIPE"])

/**
 * Wraps a connector so that a reset during the TLS handshake has the code `HANDSHAKE_RESET`. After the handshake, nothing
 * distinguishes such a reset from one before the answer.
 */
export function withHandshakeFailures<Options extends { readonly protocol?: string | undefined }, Socket>(
  connect: Connector<Options, Socket>,
): Connector<Options, Socket> {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket)
      else callback(options.protocol === "https:" ? named(error) : error, null)
    })
}

/** Leaves the cause out: its code is less precise, and `findNetworkReason` takes the innermost code. */
function named(error: Error): Error {
  const { code, syscall } = error as Error & { readonly code?: string; readonly syscall?: string }
  // Before the TCP connection is made there is no handshake.
  if (code === undefined || !RESETS.has(code) || syscall === "connect") return error
  return Object.assign(new Error(`The connection broke off during the TLS handshake: ${error.message}`), {
    code: HANDSHAKE_RESET,
  })
}
