import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { template } from './cel-text.ts';
import type { ConvertedNode, N8nContext } from './n8n-context.ts';
import { NotMapped } from './report.ts';
import { secretNameOf } from './secrets.ts';
import { textOf } from './values.ts';

/** One operation of a service, as a call of its API. */
interface ServiceCall {
  /** The address; TOKEN stands for the secret. */
  url: string;
  /** The members of the body, by the parameters whose values they have. A list is tried in turn. */
  body: Record<string, string | string[]>;
}

const telegram = (method: string, body: ServiceCall['body']): ServiceCall => ({
  url: `https://api.telegram.org/botTOKEN/${method}`,
  body: { chat_id: 'chatId', ...body },
});
const slack = (method: string, body: ServiceCall['body']): ServiceCall => ({
  url: `https://slack.com/api/${method}`,
  body,
});

/** The operations of services that become calls, by the type of the node, the resource and the operation with their defaults. */
const calls: Record<
  string,
  { resource: string; operation: string; operations: Record<string, ServiceCall> }
> = {
  telegram: {
    resource: 'message',
    operation: 'sendMessage',
    operations: {
      'message sendMessage': telegram('sendMessage', { text: 'text' }),
      'message sendPhoto': telegram('sendPhoto', { photo: 'file' }),
      'message sendDocument': telegram('sendDocument', { document: 'file' }),
      'message sendAudio': telegram('sendAudio', { audio: 'file' }),
      'message sendVideo': telegram('sendVideo', { video: 'file' }),
      'message sendAnimation': telegram('sendAnimation', { animation: 'file' }),
      'message sendChatAction': telegram('sendChatAction', { action: 'action' }),
      'message editMessageText': telegram('editMessageText', { message_id: 'messageId', text: 'text' }),
      'message deleteChatMessage': telegram('deleteMessage', { message_id: 'messageId' }),
      'chat get': telegram('getChat', {}),
      'chat member': telegram('getChatMember', { user_id: 'userId' }),
      'file get': { url: 'https://api.telegram.org/botTOKEN/getFile', body: { file_id: 'fileId' } },
    },
  },
  slack: {
    resource: 'message',
    operation: 'post',
    operations: {
      'message post': slack('chat.postMessage', { channel: ['channelId', 'channel', 'user'], text: 'text' }),
      'message update': slack('chat.update', { channel: 'channelId', ts: 'ts', text: 'text' }),
      'message delete': slack('chat.delete', { channel: 'channelId', ts: 'timestamp' }),
      'reaction add': slack('reactions.add', { channel: 'channelId', timestamp: 'timestamp', name: 'name' }),
    },
  },
};

/** The defaults of parameters that an export leaves out. */
const defaults: Record<string, Json> = { action: 'typing' };

/** A node of a service as a call of its API. */
export function convertService(context: N8nContext): ConvertedNode {
  const { parameters, type, raw } = context.node;
  const service = calls[type];
  const resource = textOf(parameters['resource'], service?.resource);
  const operation = textOf(
    parameters['operation'],
    resource === service?.resource ? service.operation : 'get',
  );
  const call = service?.operations[`${resource} ${operation}`];
  if (!call)
    throw new NotMapped(
      `The operation ${resource} ${operation} of ${type} has no counterpart. Use an http block for its API.`,
    );
  if (parameters['binaryData'] === true)
    throw new NotMapped('It sends a file of the run. Send the address of the file, or use an http block.');
  if (textOf(parameters['messageType'], 'text') !== 'text' || parameters['blocksUi'] !== undefined)
    throw new NotMapped('It sends blocks or attachments. Use an http block with them in its body.');
  const [credential] = Object.values(objectOf(raw['credentials']));
  const label = textOf(objectOf(credential)['name'], `${type} token`);
  const name = secretNameOf(label);
  const token = template(context.readSecret(name, `The token of the credential "${label}" of ${type}.`));
  const { expressions } = context;
  const body: JsonObject = {};
  for (const [member, names] of Object.entries(call.body)) {
    const from = [names].flat().find((one) => parameters[one] !== undefined) ?? [names].flat()[0] ?? '';
    const value = parameters[from] ?? defaults[from];
    if (value === undefined)
      throw new NotMapped(`It does not say its ${from}. Use an http block for its API.`);
    body[member] = expressions.template(isObject(value) ? (value['value'] ?? '') : value);
  }
  const more = objectOf(parameters['additionalFields']);
  for (const [key, value] of Object.entries(more)) {
    if (key === 'appendAttribution') continue;
    if (
      /^(parse_mode|disable_notification|disable_web_page_preview|protect_content|reply_to_message_id|message_thread_id|caption)$/.test(
        key,
      )
    )
      body[key] = expressions.template(value);
    else context.change(`Its field ${key} is left out.`);
  }
  // n8n sends Markdown where the node does not say another form.
  if (/sendMessage|editMessageText/.test(operation) && type === 'telegram') body['parse_mode'] ??= 'Markdown';
  if (/sendMessage|post/.test(operation)) context.change("n8n's own line below the message is left out.");
  context.change(
    `It is a call of the API of ${type}; its credential "${label}" is the secret ${name}. Its item is what the API answers.`,
  );
  const url = call.url.replace('TOKEN', token);
  return {
    block: {
      type: 'http',
      params: {
        method: 'POST',
        url,
        ...(url === call.url ? { headers: { Authorization: `Bearer ${token}` } } : {}),
        body,
      },
    },
    out: { root: context.piece.id, steps: ['data'] },
  };
}
