import type { Call, Exchange } from "./exchange.ts"
import { networkFailure } from "./network-failure.ts"

/** The bytes of an answer as they come. @throws `server_unreachable` where it breaks off before its end */
export async function* streamBody(
  exchange: Exchange,
  url: string,
  call: Call,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { body } = await exchange(call)
  try {
    yield* body ?? []
  } catch (error) {
    throw networkFailure(error, { method: call.method, url: `${url}${call.path}` }, call.signal)
  }
}
