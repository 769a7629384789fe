import { printable, WORKSPACE_NAME_PATTERN } from "@assay/schemas"
import type { Settings } from "./settings-schema.ts"

const WORKSPACE_NAME = new RegExp(WORKSPACE_NAME_PATTERN, "u")
const MAX_SHOWN = 10

/** Returns errors about the settings of the identity provider. The provider itself is not asked. */
export function findOidcFaults(settings: Settings): readonly string[] {
  const { ASSAY_AUTH: auth, ASSAY_OIDC_ISSUER: issuer } = settings
  if (auth !== "oidc") {
    if (issuer === undefined) return []
    return [`ASSAY_OIDC_ISSUER is set while ASSAY_AUTH is ${auth}: set ASSAY_AUTH=oidc, or remove ASSAY_OIDC_ISSUER`]
  }
  return [...findIssuerFaults(issuer), ...findClientFaults(settings), ...findGrantFaults(settings)]
}

function findIssuerFaults(issuer: string | undefined): readonly string[] {
  if (issuer === undefined) {
    return [
      "ASSAY_AUTH is oidc without ASSAY_OIDC_ISSUER: set it to the issuer of your identity provider, such as https://login.example.com/realms/main",
    ]
  }
  const fault = addressFault(issuer)
  return fault === undefined ? [] : [`ASSAY_OIDC_ISSUER '${printable(issuer)}' ${fault}`]
}

function findClientFaults(settings: Settings): readonly string[] {
  const { ASSAY_OIDC_CLIENT_ID: client, ASSAY_OIDC_CLIENT_SECRET: secret, ASSAY_PUBLIC_URL: url } = settings
  const faults: string[] = []
  if (client === undefined && settings.ASSAY_OIDC_AUDIENCE.length === 0) {
    faults.push(
      "ASSAY_AUTH is oidc without ASSAY_OIDC_CLIENT_ID and without ASSAY_OIDC_AUDIENCE, so that no token would be accepted: " +
        "set the first for sign-ins to the console, the second for access tokens, or both",
    )
  }
  if (client === undefined && secret !== undefined) {
    faults.push("ASSAY_OIDC_CLIENT_SECRET is set without ASSAY_OIDC_CLIENT_ID: set both, or remove it")
  }
  if (client !== undefined && url === undefined) {
    faults.push(
      "ASSAY_OIDC_CLIENT_ID is set without ASSAY_PUBLIC_URL, to which the identity provider sends people back: " +
        "set it to the address of this server in browsers, such as https://assay.example.com",
    )
  }
  const fault = client === undefined || url === undefined ? undefined : addressFault(url)
  if (fault !== undefined) faults.push(`ASSAY_PUBLIC_URL '${url}' ${fault}, because people sign in there`)
  if (!settings.ASSAY_OIDC_SCOPES.includes("openid")) {
    faults.push("ASSAY_OIDC_SCOPES lacks openid, without which a provider sends no ID token: add it")
  }
  return faults
}

function findGrantFaults({ ASSAY_OIDC_GRANTS: grants }: Settings): readonly string[] {
  if (grants.length === 0) {
    return [
      "ASSAY_AUTH is oidc without ASSAY_OIDC_GRANTS, so that nobody would have rights: " +
        'set it to a list such as [{"claim":"groups","value":"ml","workspace":"default","role":"editor"}]',
    ]
  }
  const wrong = [...grants.entries()].filter(
    ([, { workspace }]) => workspace !== "*" && !WORKSPACE_NAME.test(workspace),
  )
  return wrong
    .slice(0, MAX_SHOWN)
    .map(
      ([at, { workspace }]) =>
        `ASSAY_OIDC_GRANTS.${at}.workspace '${printable(workspace)}' can't be the name of a workspace: give 2 to 63 of a-z, 0-9 and -@.+_, beginning with a letter, or * for all`,
    )
}

/** Returns what is wrong with an address that tokens or cookies depend on. */
function addressFault(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return "is not an address such as https://login.example.com"
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return "must have no user name, query or fragment"
  if (url.protocol === "https:" || isLoopback(url.hostname)) return undefined
  return "must begin with https://; http is for this machine (127.0.0.1, localhost) only"
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
