/** Where a model answers chat completions. */
export interface InferenceEndpoint {
  /** A base (`https://host`, `https://host/v1`) or the whole address that ends in `/chat/completions`. */
  readonly url: string
  /** The model's name there. */
  readonly model: string
  /** Sent as a bearer token; it shows in no error and no log. */
  readonly apiKey?: string
  /** Certificates in PEM that are trusted besides those of the system. */
  readonly ca?: string
}
