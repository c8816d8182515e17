import type { Json } from '#libs/platform/json/json';
import type { ServiceApi, ServiceNode, ServiceOperation } from './service.ts';

/** What a post or a page may have, by the names of the API. */
const content: Record<string, string> = {
  title: 'title',
  content: 'content',
  slug: 'slug',
  status: 'status',
  password: 'password',
  date: 'date',
  author: 'authorId',
  comment_status: 'commentStatus',
  ping_status: 'pingStatus',
  format: 'format',
  sticky: 'sticky',
  categories: 'categories',
  tags: 'tags',
};

const site = 'https://YOUR_SITE/wp-json/wp/v2/';

const toMembers = (node: ServiceNode, collection: string): Record<string, Json> =>
  node.some(
    Object.fromEntries(Object.entries(content).map(([name, path]) => [name, `${collection}.${path}`])),
  );

const toReads = (collection: string) =>
  Object.fromEntries(Object.values(content).map((path) => [`${collection}.${path}`, null]));

/** Posts and pages have the same operations. */
function toWordpress(resource: 'post' | 'page'): Record<string, ServiceOperation> {
  const differs = 'Write the address of your site in the place of YOUR_SITE.';
  const id = `${resource}Id`;
  const url = `${site}${resource}s`;
  return {
    [`${resource} create`]: {
      reads: { title: null, ...toReads('additionalFields') },
      call: (node) => ({
        method: 'POST',
        url,
        body: { ...toMembers(node, 'additionalFields'), title: node.needed('title') },
      }),
      differs,
    },
    [`${resource} update`]: {
      reads: { [id]: null, ...toReads('updateFields') },
      call: (node) => ({
        method: 'POST',
        url: `${url}/${node.part(id)}`,
        body: toMembers(node, 'updateFields'),
      }),
      differs,
    },
    [`${resource} get`]: {
      reads: { [id]: null, 'options.context': null, 'options.password': null },
      call: (node) => ({
        url: `${url}/${node.part(id)}`,
        query: node.some({ context: 'options.context', password: 'options.password' }),
      }),
      differs,
    },
    [`${resource} getAll`]: {
      reads: {
        returnAll: false,
        limit: 5,
        'options.context': null,
        'options.after': null,
        'options.before': null,
        'options.order': null,
        'options.orderBy': null,
        'options.search': null,
        'options.status': null,
      },
      call: (node) => ({
        url,
        query: {
          per_page: node.limit(100),
          ...node.some({
            context: 'options.context',
            after: 'options.after',
            before: 'options.before',
            order: 'options.order',
            orderby: 'options.orderBy',
            search: 'options.search',
            status: 'options.status',
          }),
        },
      }),
      answer: () => 'data',
      several: true,
      differs,
    },
  };
}

export const wordpress: ServiceApi = {
  name: 'WordPress',
  resource: 'post',
  operation: { post: 'create', page: 'create' },
  headers: (secret) => ({ Authorization: `Basic ${secret}` }),
  secret: 'User and application password of WordPress, as base64 of user:password.',
  operations: { ...toWordpress('post'), ...toWordpress('page') },
};

export const hackerNews: ServiceApi = {
  name: 'Hacker News',
  resource: 'article',
  operation: { article: 'get', user: 'get', all: 'getAll' },
  isOpen: true,
  operations: {
    'article get': {
      reads: { articleId: null, 'additionalFields.includeComments': null },
      call: (node) => ({ url: `https://hn.algolia.com/api/v1/items/${node.part('articleId')}` }),
      answer: (node) =>
        node.isOn('additionalFields.includeComments')
          ? 'data'
          : '(({ children, ...article }) => article)(data)',
    },
    'user get': {
      reads: { username: null },
      call: (node) => ({ url: `https://hn.algolia.com/api/v1/users/${node.part('username')}` }),
    },
    'all getAll': {
      reads: {
        returnAll: false,
        limit: 100,
        'additionalFields.keyword': null,
        'additionalFields.tags': null,
      },
      call: (node) => {
        const tags = node.raw('additionalFields.tags');
        return {
          url: 'https://hn.algolia.com/api/v1/search',
          query: {
            ...node.some({ query: 'additionalFields.keyword' }),
            ...(Array.isArray(tags) && tags.length > 0 ? { tags: tags.join(',') } : {}),
            hitsPerPage: node.limit(1000),
          },
        };
      },
      answer: () => 'data.hits ?? []',
      several: true,
    },
  },
};

const toIssue = (fields: string): Record<string, string> => ({
  title: 'title',
  teamId: 'teamId',
  description: `${fields}.description`,
  assigneeId: `${fields}.assigneeId`,
  priority: `${fields}.priorityId`,
  stateId: `${fields}.stateId`,
});
const issueMembers =
  'id title priority archivedAt assignee { id displayName } state { id name } createdAt creator { id displayName } description dueDate cycle { id name }';

/** A call of the API of Linear, which is GraphQL. */
const toLinear = (query: string, variables: Record<string, Json>) => ({
  method: 'POST',
  url: 'https://api.linear.app/graphql',
  body: { query, variables },
});

/** The answer of a call of GraphQL, which says its faults in a member. */
const linearAnswer = (path: string) =>
  `((one) => { if (one.errors) throw new Error('Linear refuses the call: ' + one.errors[0].message); return one.data.${path}; })(data)`;

export const linear: ServiceApi = {
  name: 'Linear',
  resource: 'issue',
  operation: { issue: 'create', comment: 'addComment' },
  headers: (secret) => ({ Authorization: secret }),
  secret: 'A personal key of Linear, or Bearer and an OAuth token.',
  operations: {
    'issue create': {
      reads: Object.fromEntries(Object.values(toIssue('additionalFields')).map((path) => [path, null])),
      call: (node) =>
        toLinear(
          `mutation Make($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${issueMembers} } } }`,
          { input: node.some(toIssue('additionalFields')) },
        ),
      answer: () => linearAnswer('issueCreate.issue'),
    },
    'issue update': {
      reads: {
        issueId: null,
        ...Object.fromEntries(
          Object.values(toIssue('updateFields')).map((path) => [
            path.includes('.') ? path : `updateFields.${path}`,
            null,
          ]),
        ),
      },
      call: (node) => {
        const members = Object.entries(toIssue('updateFields')).map(([name, path]) => [
          name,
          path.includes('.') ? path : `updateFields.${path}`,
        ]);
        return toLinear(
          `mutation Change($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${issueMembers} } } }`,
          { id: node.needed('issueId'), input: node.some(Object.fromEntries(members)) },
        );
      },
      answer: () => linearAnswer('issueUpdate.issue'),
    },
    'issue get': {
      reads: { issueId: null },
      call: (node) =>
        toLinear(`query Read($id: String!) { issue(id: $id) { ${issueMembers} } }`, {
          id: node.needed('issueId'),
        }),
      answer: () => linearAnswer('issue'),
    },
    'issue getAll': {
      reads: { returnAll: false, limit: 50 },
      call: (node) =>
        toLinear(`query Read($first: Int) { issues(first: $first) { nodes { ${issueMembers} } } }`, {
          first: node.limit(250),
        }),
      answer: () => linearAnswer('issues.nodes'),
      several: true,
    },
  },
};

const todoistApi = 'https://api.todoist.com/api/v1/tasks';

export const todoist: ServiceApi = {
  name: 'Todoist',
  resource: 'task',
  operation: { task: 'create' },
  operations: {
    'task getAll': {
      reads: {
        returnAll: false,
        limit: 50,
        'filters.projectId': null,
        'filters.sectionId': null,
        'filters.labelId': null,
      },
      call: (node) => ({
        url: todoistApi,
        query: {
          limit: node.limit(200),
          ...node.some({
            project_id: 'filters.projectId',
            section_id: 'filters.sectionId',
            label: 'filters.labelId',
          }),
        },
      }),
      answer: () => 'data.results ?? []',
      several: true,
    },
    'task get': {
      reads: { taskId: null },
      call: (node) => ({ url: `${todoistApi}/${node.part('taskId')}` }),
    },
    'task update': {
      reads: {
        taskId: null,
        'updateFields.content': null,
        'updateFields.description': null,
        'updateFields.priority': null,
        'updateFields.labels': null,
        'updateFields.dueString': null,
      },
      call: (node) => ({
        method: 'POST',
        url: `${todoistApi}/${node.part('taskId')}`,
        body: node.some({
          content: 'updateFields.content',
          description: 'updateFields.description',
          priority: 'updateFields.priority',
          labels: 'updateFields.labels',
          due_string: 'updateFields.dueString',
        }),
      }),
      answer: () => '{ success: true }',
    },
    'task close': {
      reads: { taskId: null },
      call: (node) => ({ method: 'POST', url: `${todoistApi}/${node.part('taskId')}/close` }),
      answer: () => '{ success: true }',
    },
  },
};
