import { PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT } from "@assay/schemas"

/** Where filesets may live on every server: the public catalog and hub. */
export const PUBLIC_HOSTS: readonly string[] = [PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT]
