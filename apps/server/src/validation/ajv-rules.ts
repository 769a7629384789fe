/**
 * Options of Ajv for requests and for files and settings. `validateSchema` is off: our schemas are typed, and to compile the
 * schema of schemas takes a third of a server's start.
 */
export const AJV_RULES = {
  allErrors: true,
  discriminator: true,
  useDefaults: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  meta: false,
  validateSchema: false,
} as const
