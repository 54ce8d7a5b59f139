/** A property that is there only when it has a value: absent fields stay out of files and reports. */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const property: { [P in K]?: V } = {};
  if (value !== undefined) property[key] = value;
  return property;
}
