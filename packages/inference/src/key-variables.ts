import { AssayError, maskUrlUser } from "@assay/schemas"

/** The variables of this machine that hold keys, and the hosts that may receive them. */
export interface KeyVariables {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Name of the variable with the key of endpoints that name none. */
  readonly defaultVariable: string
  /** Whether a key may be sent to a URL: to this machine, and to hosts that its user has named outside of the file. */
  readonly isKeyHost: (url: string) => boolean
}

const KEY_NAME = /KEY|TOKEN|SECRET/i
/** Settings of servers and commands, among them keys that no model must receive. */
const OWN_SETTING = /^(ASSAY_|DATABASE_)/i

/**
 * Returns the value of a variable that a file names, if an endpoint of the file may receive it; undefined if it is empty. A file can come from others, and
 * could otherwise send any variable of this machine to its own address.
 * @throws `key_not_allowed` if the variable is not a key, or the host is not one that the user has named
 */
export function readKeyVariable(variables: KeyVariables, variable: string, url: string): string | undefined {
  const isDefault = variable === variables.defaultVariable
  if (!isDefault && (OWN_SETTING.test(variable) || !KEY_NAME.test(variable))) {
    const why = OWN_SETTING.test(variable) ? "is a setting of Assay" : "does not contain KEY, TOKEN or SECRET"
    const message = `'${variable}' is not taken for a key: its name ${why}. Put the key into ${variables.defaultVariable}, or into a variable such as MODEL_API_KEY.`
    throw new AssayError("key_not_allowed", message)
  }
  const key = variables.env[variable]
  if (key === undefined || key === "") return undefined
  checkKeyHost(variables, variable, url)
  return key
}

/** @throws `key_not_allowed` if a key of this machine must not be sent to the URL */
function checkKeyHost({ isKeyHost }: KeyVariables, variable: string, url: string): void {
  if (isKeyHost(url)) return
  const host = URL.parse(url)?.host ?? maskUrlUser(url)
  const message = `The key in ${variable} is not sent to '${host}', because only the file names this host: keys go to this machine, and to hosts that you name. Add --key-host ${host}, or list it in ASSAY_KEY_HOSTS.`
  throw new AssayError("key_not_allowed", message)
}
