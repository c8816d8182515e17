/** The least that can be deployed. */
export const emptyDefinition = {
  blocks: [{ id: 'done', type: 'response', params: { data: {} } }],
  edges: [{ from: 'start', to: 'done' }],
};
