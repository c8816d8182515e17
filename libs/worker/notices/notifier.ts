import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryRoom } from '#libs/platform/database/delivery-room';
import { Egress } from '#libs/platform/egress/egress';
import { Mail, type MailMessage } from '#libs/platform/mail/mail';
import { Settings } from '#libs/platform/settings/settings';
import {
  type Notification,
  type PauseNotification,
  Notifications,
  type Occasion,
  type TriggerNotification,
} from '#libs/runs/pauses/notifications';
import { SwitchedOffTriggers } from '#libs/triggers/switched-off';
import { Secrets } from '#libs/workspace/secrets/secrets';
import { signedHeaders } from '../calls/webhook-signature.ts';
import { mailOfNotice, mailOfTrigger } from './notice-mail.ts';

const bounds = { most: 50, perWorkspace: 10, perReceiver: 4 };
const webhookTimeoutMs = 15_000;

/** Sends notices about pauses and triggers to people and systems, at least once. A receiver recognises a repetition by its id. */
@Injectable()
export class Notifier implements OnModuleDestroy {
  private readonly log = new Logger(Notifier.name);
  private readonly room = new DeliveryRoom<Notification>(bounds, {
    claim: (values) => this.notices.claim(values),
    deliver: (notice) => this.send(notice),
  });

  constructor(
    private readonly notices: Notifications,
    private readonly triggers: SwitchedOffTriggers,
    private readonly secrets: Secrets,
    private readonly egress: Egress,
    private readonly mail: Mail,
    private readonly settings: Settings,
  ) {}

  get due(): string {
    return this.notices.due;
  }

  sendDueNotices(): Promise<void> {
    return this.room.deliverDue();
  }

  /** Resolves when the current notices have been sent or postponed. */
  async onModuleDestroy(): Promise<void> {
    await this.room.drain();
  }

  private async send(notice: Notification): Promise<void> {
    try {
      await (notice.triggerId === null ? this.tellOfPause(notice) : this.tellOfTrigger(notice));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`${notice.id} is not delivered yet: ${reason}`);
      await this.postpone(notice, reason);
    }
  }

  private async tellOfPause(notice: PauseNotification): Promise<void> {
    const occasion = await this.notices.about(notice);
    if (!occasion) return this.notices.settle(notice.id, 'dropped', 'the pause is gone');
    if (notice.channel === 'webhook') return this.deliver(notice, occasion);
    if (!occasion.open) return this.notices.settle(notice.id, 'dropped', 'the pause was closed before');
    if (!occasion.wanted)
      return this.notices.settle(notice.id, 'dropped', 'the receiver has switched mails off');
    await this.sendMail(notice, occasion, mailOfNotice(notice, occasion));
  }

  private async tellOfTrigger(notice: TriggerNotification): Promise<void> {
    const trigger = await this.triggers.find(notice);
    if (!trigger)
      return this.notices.settle(
        notice.id,
        'dropped',
        'the trigger is not switched off any more, or the receiver has left',
      );
    await this.sendMail(notice, { toMember: true }, mailOfTrigger(notice, trigger));
  }

  private async sendMail(
    notice: Notification,
    to: Pick<Occasion, 'toMember'>,
    message: MailMessage,
  ): Promise<void> {
    if (!this.mail.configured) return this.notices.settle(notice.id, 'failed', 'SMTP_URL is not set');
    const refusal = await this.notices.refusedMail(notice, to, this.settings);
    if (refusal) return this.notices.settle(notice.id, 'dropped', refusal);
    await this.mail.sendMail(message);
    await this.notices.settle(notice.id, 'sent');
  }

  /** Postpones a notice. If that cannot be written, the notice is due again when its claim ends. */
  private async postpone({ id }: Notification, reason: string): Promise<void> {
    await this.notices
      .postpone(id, reason)
      .catch((error: unknown) => this.log.warn(`${id}: ${String(error)}`));
  }

  private async deliver(notice: PauseNotification, occasion: Occasion): Promise<void> {
    const { workspaceId, id } = notice;
    const body = JSON.stringify(eventOf(notice, occasion));
    const name = occasion.asking?.notify?.webhook?.secret ?? '';
    const secret = await this.secrets.read(workspaceId, name);
    const signed = secret === null ? null : signedHeaders(id, body, [secret]);
    if (!signed) throw new Error(`the secret "${name}" is missing, or not whsec_ and base64`);
    const { status } = await this.egress.request({
      method: 'POST',
      url: notice.target,
      headers: { 'content-type': 'application/json', ...signed },
      body,
      timeoutMs: webhookTimeoutMs,
      redirectsMax: 0,
    });
    if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`);
    await this.notices.settle(id, 'sent');
  }
}

/** A notice always has the same body, so nothing in it may depend on the time of sending. */
function eventOf({ occasion }: PauseNotification, about: Occasion) {
  const {
    contextId,
    rootId,
    blockId,
    workflowId,
    workflowName,
    registeredAt,
    expiresAt,
    display,
    apiUrl,
    uiUrl,
  } = about;
  const { title, message, fields } = display;
  return {
    type: 'execution.paused',
    timestamp: registeredAt.toISOString(),
    data: {
      occasion,
      workflowId,
      workflowName,
      executionId: rootId,
      contextId,
      blockId,
      title,
      message,
      fields,
      expiresAt: expiresAt?.toISOString() ?? null,
      resumeLinks: { apiUrl, uiUrl },
    },
  };
}
