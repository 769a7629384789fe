import { AssayError, parseSecretRef, type ObjstoreStorageConfiguration } from "@assay/schemas"
import type { RemoteStorageContext } from "../../open-storage.ts"

/** How requests to a bucket are signed. */
export type ObjstoreCredentials =
  | { readonly kind: "secrets"; readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Credentials of the machine: environment, profile or role. */
  | { readonly kind: "ambient" }
  | { readonly kind: "anonymous" }

/**
 * Returns the credentials for a configuration: those in its two secrets, or ambient ones if they are allowed,
 * or none.
 * @throws `storage_not_allowed` if `use_sdk_auth` is not allowed, if it is combined with a secret, or if only one
 * secret is given; `secret_not_readable`; `upstream_refused` for a secret that can't be sent
 */
export async function findCredentials(
  config: ObjstoreStorageConfiguration,
  { workspace, resolveSecret, allowAmbient = false }: RemoteStorageContext,
): Promise<ObjstoreCredentials> {
  const { access_key_id_secret: idRef, secret_access_key_secret: keyRef, use_sdk_auth: isAmbient = false } = config
  if (isAmbient) {
    if (!allowAmbient)
      throw refuse("`use_sdk_auth` is for the server's own default storage; name both secrets instead.")
    if (idRef !== undefined || keyRef !== undefined)
      throw refuse("`use_sdk_auth` takes no secrets; leave one or the other out.")
    return { kind: "ambient" }
  }
  if (idRef === undefined && keyRef === undefined) return { kind: "anonymous" }
  if (idRef === undefined || keyRef === undefined) {
    const missing = idRef === undefined ? "access_key_id_secret" : "secret_access_key_secret"
    throw refuse(`It has one secret of two: name \`${missing}\` too, or none for anonymous access.`)
  }
  const valueOf = async (ref: string) => checkValue(await resolveSecret(parseSecretRef(ref, workspace)), ref)
  const [accessKeyId, secretAccessKey] = await Promise.all([valueOf(idRef), valueOf(keyRef)])
  return { kind: "secrets", accessKeyId, secretAccessKey }
}

/** Checks the value of a secret. A pasted key often ends with a line break, which can't be sent in a header. */
function checkValue(value: string, ref: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value
  const message = `Secret '${ref}' is not a key of an object store: it is empty, or has a space, a line break or a character outside ASCII. Set it again.`
  throw new AssayError("upstream_refused", message, { context: { storage: "objstore", secret: ref } })
}

function refuse(what: string): AssayError {
  return new AssayError("storage_not_allowed", `Object storage can't be opened like this. ${what}`, {
    context: { storage: "objstore" },
  })
}
