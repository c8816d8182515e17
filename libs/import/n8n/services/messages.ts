// One operation of a service a member.
import { isObject, type Json, objectOf } from '#libs/platform/json/json';
import type { ServiceApi, ServiceNode, ServiceOperation } from './service.ts';
import { toList } from '../../values.ts';

const telegramApi = 'https://api.telegram.org/botTOKEN/';

/** Options of a message that Telegram takes as they are. */
const telegramOptions = {
  'additionalFields.parse_mode': null,
  'additionalFields.disable_notification': null,
  'additionalFields.disable_web_page_preview': null,
  'additionalFields.protect_content': null,
  'additionalFields.reply_to_message_id': null,
  'additionalFields.message_thread_id': null,
  'additionalFields.caption': null,
  'additionalFields.appendAttribution': null,
};
const keyboards = {
  replyMarkup: null,
  inlineKeyboard: null,
  forceReply: null,
  replyKeyboard: null,
  replyKeyboardOptions: null,
  replyKeyboardRemove: null,
};

/** The buttons below a message. */
function toMarkup(node: ServiceNode): Record<string, Json> {
  const kind = node.text('replyMarkup');
  if (kind === '' || kind === 'none') return {};
  const plain = (path: string) => node.context.expressions.template(objectOf(node.raw(path)));
  if (kind === 'forceReply' || kind === 'replyKeyboardRemove') return { reply_markup: plain(kind) };
  const rows = toList(objectOf(node.raw(kind))['rows']).map((row) =>
    toList(objectOf(objectOf(row)['row'])['buttons']).map((button) => {
      const { text = '', additionalFields } = objectOf(button);
      return node.context.expressions.template({ text, ...objectOf(additionalFields) });
    }),
  );
  return {
    reply_markup:
      kind === 'inlineKeyboard'
        ? { inline_keyboard: rows }
        : { keyboard: rows, ...objectOf(plain('replyKeyboardOptions')) },
  };
}

/** A method of Telegram's API, by the members of its body and the parameters that hold them. */
const toTelegram = (method: string, members: Record<string, string>, isMessage = true): ServiceOperation => ({
  reads: {
    chatId: null,
    ...Object.fromEntries(Object.values(members).map((path) => [path, path === 'action' ? 'typing' : null])),
    ...(isMessage ? { ...telegramOptions, ...keyboards, binaryData: null } : {}),
  },
  call: (node) => {
    if (node.isOn('binaryData')) node.refuse('It sends a file of the run. Send the address of the file.');
    if (node.text('messageType') === 'inlineMessage') node.refuse('It changes a message by its inline id.');
    const options = Object.keys(telegramOptions)
      .map((path) => path.replace('additionalFields.', ''))
      .filter((name) => name !== 'appendAttribution');
    const body: Record<string, Json> = {
      ...Object.fromEntries(
        Object.entries({
          ...(method.startsWith('answer') || method === 'getFile' ? {} : { chat_id: 'chatId' }),
          ...members,
        }).map(([name, path]) => [name, node.needed(path)]),
      ),
      ...(isMessage
        ? {
            ...node.some(Object.fromEntries(options.map((name) => [name, `additionalFields.${name}`]))),
            ...toMarkup(node),
          }
        : {}),
    };
    // n8n sends Markdown where the node does not say another form.
    if (/^(sendMessage|editMessageText)$/.test(method)) body['parse_mode'] ??= 'Markdown';
    if (method === 'sendMessage' && node.raw('additionalFields.appendAttribution') !== false)
      node.context.change("n8n's own line below the message is left out.");
    return { method: 'POST', url: `${telegramApi}${method}`, body };
  },
});

export const telegram: ServiceApi = {
  name: 'Telegram',
  resource: 'message',
  operation: { message: 'sendMessage', chat: 'get', file: 'get', callback: 'answerQuery' },
  operations: {
    'message sendMessage': toTelegram('sendMessage', { text: 'text' }),
    'message sendPhoto': toTelegram('sendPhoto', { photo: 'file' }),
    'message sendDocument': toTelegram('sendDocument', { document: 'file' }),
    'message sendAudio': toTelegram('sendAudio', { audio: 'file' }),
    'message sendVideo': toTelegram('sendVideo', { video: 'file' }),
    'message sendAnimation': toTelegram('sendAnimation', { animation: 'file' }),
    'message sendSticker': toTelegram('sendSticker', { sticker: 'file' }),
    'message sendLocation': toTelegram('sendLocation', { latitude: 'latitude', longitude: 'longitude' }),
    'message sendChatAction': toTelegram('sendChatAction', { action: 'action' }, false),
    'message editMessageText': toTelegram('editMessageText', { message_id: 'messageId', text: 'text' }),
    'message deleteMessage': toTelegram('deleteMessage', { message_id: 'messageId' }, false),
    'message pinChatMessage': toTelegram('pinChatMessage', { message_id: 'messageId' }, false),
    'message unpinChatMessage': toTelegram('unpinChatMessage', { message_id: 'messageId' }, false),
    'chat get': toTelegram('getChat', {}, false),
    'chat administrators': toTelegram('getChatAdministrators', {}, false),
    'chat leave': toTelegram('leaveChat', {}, false),
    'chat member': toTelegram('getChatMember', { user_id: 'userId' }, false),
    'callback answerQuery': {
      reads: {
        queryId: null,
        'additionalFields.text': null,
        'additionalFields.show_alert': null,
        'additionalFields.url': null,
        'additionalFields.cache_time': null,
      },
      call: (node) => ({
        method: 'POST',
        url: `${telegramApi}answerCallbackQuery`,
        body: {
          callback_query_id: node.needed('queryId'),
          ...node.some({
            text: 'additionalFields.text',
            show_alert: 'additionalFields.show_alert',
            url: 'additionalFields.url',
            cache_time: 'additionalFields.cache_time',
          }),
        },
      }),
    },
    'file get': {
      reads: { fileId: null, download: true },
      call: (node) => {
        if (node.isOn('download')) node.refuse('It downloads the file, which no block passes on.');
        return { method: 'POST', url: `${telegramApi}getFile`, body: { file_id: node.needed('fileId') } };
      },
    },
  },
};

const slackApi = 'https://slack.com/api/';
const slackOptions = {
  'otherOptions.includeLinkToWorkflow': null,
  'otherOptions.mrkdwn': null,
  'otherOptions.unfurl_links': null,
  'otherOptions.unfurl_media': null,
  'otherOptions.link_names': null,
  'otherOptions.thread_ts': null,
};

/** The text or the blocks of a message. */
function toSlackText(node: ServiceNode): Record<string, Json> {
  const kind = node.text('messageType') || 'text';
  if (kind === 'attachment' || node.raw('attachments') !== undefined) node.refuse('It sends attachments.');
  if (node.context.node.version < 2 && node.raw('blocksUi') !== undefined) node.refuse('It sends blocks.');
  if (node.raw('otherOptions.includeLinkToWorkflow') !== false)
    node.context.change("n8n's own line below the message is left out.");
  if (kind !== 'block') return { text: node.needed('text') };
  const blocks = node.context.expressions.json(node.raw('blocksUi') ?? '{}');
  return {
    ...node.some({ text: 'text' }),
    blocks: isObject(blocks)
      ? (blocks['blocks'] ?? [])
      : node.computed(
          `((value) => (typeof value === 'string' ? JSON.parse(value) : value).blocks)(${node.js('blocksUi')})`,
        ),
  };
}

/** Slack answers with 200 also when it refuses. */
const slackAnswer = () =>
  "((one) => { if (one.ok === false) throw new Error('Slack refuses the call: ' + one.error); return one; })(data)";

export const slack: ServiceApi = {
  name: 'Slack',
  resource: 'message',
  operation: { message: 'post', reaction: 'add', channel: 'create', user: 'info' },
  operations: {
    'message post': {
      reads: {
        select: null,
        channelId: null,
        channel: null,
        user: null,
        messageType: null,
        text: null,
        blocksUi: null,
        ...slackOptions,
      },
      call: (node) => {
        const to =
          node.text('select') === 'user'
            ? 'user'
            : node.raw('channelId') === undefined
              ? 'channel'
              : 'channelId';
        const thread = objectOf(objectOf(node.raw('otherOptions.thread_ts'))['replyValues']);
        return {
          method: 'POST',
          url: `${slackApi}chat.postMessage`,
          body: {
            channel: node.needed(to),
            ...toSlackText(node),
            ...node.some({
              mrkdwn: 'otherOptions.mrkdwn',
              unfurl_links: 'otherOptions.unfurl_links',
              unfurl_media: 'otherOptions.unfurl_media',
              link_names: 'otherOptions.link_names',
            }),
            ...(thread['thread_ts'] === undefined
              ? {}
              : { thread_ts: node.context.expressions.template(thread['thread_ts']) }),
          },
        };
      },
      answer: slackAnswer,
    },
    'message update': {
      reads: {
        channelId: null,
        ts: null,
        messageType: null,
        text: null,
        blocksUi: null,
        'otherOptions.includeLinkToWorkflow': null,
      },
      call: (node) => ({
        method: 'POST',
        url: `${slackApi}chat.update`,
        body: { channel: node.needed('channelId'), ts: node.needed('ts'), ...toSlackText(node) },
      }),
      answer: slackAnswer,
    },
    'message delete': {
      reads: { select: null, channelId: null, user: null, timestamp: null },
      call: (node) => ({
        method: 'POST',
        url: `${slackApi}chat.delete`,
        body: {
          channel: node.needed(node.text('select') === 'user' ? 'user' : 'channelId'),
          ts: node.needed('timestamp'),
        },
      }),
      answer: slackAnswer,
    },
    'reaction add': {
      reads: { channelId: null, timestamp: null, name: null },
      call: (node) => ({
        method: 'POST',
        url: `${slackApi}reactions.add`,
        body: {
          channel: node.needed('channelId'),
          timestamp: node.needed('timestamp'),
          name: node.needed('name'),
        },
      }),
      answer: slackAnswer,
    },
    'user info': {
      reads: { user: null },
      call: (node) => ({ url: `${slackApi}users.info`, query: { user: node.needed('user') } }),
      answer: () => '((one) => one.user)'.concat(`(${slackAnswer()})`),
    },
  },
};

export const discord: ServiceApi = {
  name: 'Discord',
  resource: 'message',
  operation: { message: 'send' },
  headers: (secret) => ({ Authorization: `Bot ${secret}` }),
  secret: 'The token of the bot of Discord.',
  operations: {
    'message send': {
      reads: { guildId: null, sendTo: 'channel', channelId: null, content: null },
      call: (node) => {
        if (node.text('sendTo') !== 'channel') node.refuse('It writes to a person.');
        return {
          method: 'POST',
          url: `https://discord.com/api/v10/channels/${node.part('channelId')}/messages`,
          body: { content: node.needed('content') },
        };
      },
    },
  },
};

/** A webhook of Discord holds its secret in its address. */
export const discordWebhook: ServiceApi = {
  name: 'Discord',
  operation: 'sendLegacy',
  headers: () => ({}),
  secret: 'The whole address of the webhook of Discord.',
  operations: {
    sendLegacy: {
      reads: { content: null, text: null, webhookUri: null },
      call: (node) => ({
        method: 'POST',
        url: 'TOKEN?wait=true',
        body: { content: node.needed(node.raw('content') === undefined ? 'text' : 'content') },
      }),
    },
  },
};

export const whatsApp: ServiceApi = {
  name: 'WhatsApp',
  resource: 'message',
  operation: 'send',
  operations: {
    'message send': {
      reads: {
        messagingProduct: 'whatsapp',
        phoneNumberId: null,
        recipientPhoneNumber: null,
        messageType: 'text',
        textBody: null,
        'additionalFields.previewUrl': null,
      },
      call: (node) => {
        if (node.text('messageType') !== 'text') node.refuse('It sends a file or a contact.');
        return {
          method: 'POST',
          url: `https://graph.facebook.com/v13.0/${node.part('phoneNumberId')}/messages`,
          body: {
            messaging_product: 'whatsapp',
            to: node.computed(`String(${node.js('recipientPhoneNumber')}).replace(/\\D/g, '')`),
            type: 'text',
            text: { body: node.needed('textBody'), preview_url: node.isOn('additionalFields.previewUrl') },
          },
        };
      },
    },
    'media mediaUrlGet': {
      reads: { mediaGetId: null },
      call: (node) => ({ url: `https://graph.facebook.com/v13.0/${node.part('mediaGetId')}` }),
    },
  },
};

export const twilio: ServiceApi = {
  name: 'Twilio',
  resource: 'sms',
  operation: { sms: 'send' },
  headers: (secret) => ({ Authorization: `Basic ${secret}` }),
  secret:
    'The account and the token of Twilio, as base64 of account:token. Write the account into the address too.',
  operations: {
    'sms send': {
      reads: { from: null, to: null, message: null, toWhatsapp: false },
      call: (node) => {
        const number = (path: string) => `${node.isOn('toWhatsapp') ? "'whatsapp:' + " : ''}${node.js(path)}`;
        return {
          method: 'POST',
          url: 'https://api.twilio.com/2010-04-01/Accounts/YOUR_ACCOUNT/Messages.json',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: node.computed(
            `Object.entries({ From: ${number('from')}, To: ${number('to')}, Body: ${node.js('message')} }).map((pair) => pair.map(encodeURIComponent).join('=')).join('&')`,
          ),
        };
      },
      differs: 'Write your account in the place of YOUR_ACCOUNT.',
    },
  },
};

const graphApi = 'https://graph.microsoft.com/v1.0/me/';

/** Addresses that stand in one text. */
const toRecipients = (node: ServiceNode, path: string) =>
  node.computed(
    `String(${node.js(path)} ?? '').split(',').map((one) => one.trim()).filter(Boolean).map((address) => ({ emailAddress: { address } }))`,
  );

export const microsoftOutlook: ServiceApi = {
  name: 'Outlook',
  resource: 'message',
  operation: { message: 'send' },
  secret: 'An OAuth access token of Microsoft Graph. It ends after an hour: renew it.',
  operations: {
    'message send': {
      reads: {
        toRecipients: null,
        subject: null,
        bodyContent: null,
        'additionalFields.bodyContentType': null,
        'additionalFields.importance': null,
        'additionalFields.ccRecipients': null,
        'additionalFields.bccRecipients': null,
      },
      call: (node) => ({
        method: 'POST',
        url: `${graphApi}sendMail`,
        body: {
          message: {
            subject: node.value('subject') ?? '',
            body: {
              contentType: node.value('additionalFields.bodyContentType') ?? 'html',
              content: node.value('bodyContent') ?? '',
            },
            toRecipients: toRecipients(node, 'toRecipients'),
            ...(node.raw('additionalFields.ccRecipients') === undefined
              ? {}
              : { ccRecipients: toRecipients(node, 'additionalFields.ccRecipients') }),
            ...(node.raw('additionalFields.bccRecipients') === undefined
              ? {}
              : { bccRecipients: toRecipients(node, 'additionalFields.bccRecipients') }),
            ...node.some({ importance: 'additionalFields.importance' }),
          },
          saveToSentItems: true,
        },
      }),
      answer: () => '{ success: true }',
    },
    'message move': {
      reads: { messageId: null, folderId: null },
      call: (node) => ({
        method: 'POST',
        url: `${graphApi}messages/${node.part('messageId')}/move`,
        body: { destinationId: node.needed('folderId') },
      }),
      answer: () => '{ success: true }',
    },
    'message delete': {
      reads: { messageId: null },
      call: (node) => ({ method: 'DELETE', url: `${graphApi}messages/${node.part('messageId')}` }),
      answer: () => '{ success: true }',
    },
    'message update': {
      reads: {
        messageId: null,
        'updateFields.categories': null,
        'updateFields.subject': null,
        'updateFields.isRead': null,
        'updateFields.importance': null,
      },
      call: (node) => ({
        method: 'PATCH',
        url: `${graphApi}messages/${node.part('messageId')}`,
        body: node.some({
          categories: 'updateFields.categories',
          subject: 'updateFields.subject',
          isRead: 'updateFields.isRead',
          importance: 'updateFields.importance',
        }),
      }),
    },
  },
};
