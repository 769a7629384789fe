/** Returns an endpoint with its parameters as the model of a short file: `URL#NAME` if that says all of it. */
export function shortModel(
  { url, model_id, api_key_secret, ...endpoint }: Record<string, unknown>,
  more: object,
): unknown {
  const given = { ...(api_key_secret === undefined ? {} : { key: api_key_secret }), ...endpoint, ...more }
  return Object.keys(given).length === 0 ? `${String(url)}#${String(model_id)}` : { url, model: model_id, ...given }
}
