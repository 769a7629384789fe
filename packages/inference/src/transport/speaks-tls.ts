import type { Dispatcher } from "undici"
import { firstCode } from "../failures/cause-chain.ts"

/** Whether TLS is spoken where plain HTTP was refused: it answers, shows a certificate that is not trusted, or speaks an old version. */
export async function speaksTls(dispatcher: Dispatcher, host: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await dispatcher.request({ origin: `https://${host}`, path: "/", method: "HEAD", signal })
    await body.dump()
    return true
  } catch (error) {
    return /CERT|ALTNAME|VERIFY_LEAF|NOT_YET_VALID|ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(
      firstCode(error)?.code ?? "",
    )
  }
}
