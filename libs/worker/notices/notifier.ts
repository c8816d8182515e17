import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryRoom } from '#libs/platform/database/delivery-room';
import { Egress } from '#libs/platform/egress/egress';
import { Mail } from '#libs/platform/mail/mail';
import { Settings } from '#libs/platform/settings/settings';
import { type PauseNotification, Notifications, type Occasion } from '#libs/runs/pauses/notifications';
import { Secrets } from '#libs/workspace/secrets/secrets';
import { signedHeaders } from '../calls/webhook-signature.ts';
import { mailOfNotice } from './notice-mail.ts';

const bounds = { most: 50, perWorkspace: 10, perReceiver: 4 };
const webhookTimeoutMs = 15_000;

/** Sends notices about pauses to people and systems, at least once. A receiver recognises a repetition by its id. */
@Injectable()
export class Notifier implements OnModuleDestroy {
  private readonly log = new Logger(Notifier.name);
  private readonly room = new DeliveryRoom<PauseNotification>(bounds, {
    claim: (values) => this.notices.claim(values),
    deliver: (notice) => this.send(notice),
  });

  constructor(
    private readonly notices: Notifications,
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

  private async send(notice: PauseNotification): Promise<void> {
    try {
      const occasion = await this.notices.about(notice);
      if (!occasion) return await this.notices.settle(notice.id, 'dropped', 'the pause is gone');
      if (notice.channel === 'webhook') return await this.deliver(notice, occasion);
      if (!occasion.open)
        return await this.notices.settle(notice.id, 'dropped', 'the pause was closed before');
      if (!occasion.wanted)
        return await this.notices.settle(notice.id, 'dropped', 'the receiver has switched mails off');
      if (!this.mail.configured) return await this.notices.settle(notice.id, 'failed', 'SMTP_URL is not set');
      const refusal = await this.notices.refusedMail(notice, occasion, this.settings);
      if (refusal) return await this.notices.settle(notice.id, 'dropped', refusal);
      await this.mail.sendMail(mailOfNotice(notice, occasion));
      await this.notices.settle(notice.id, 'sent');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`${notice.id} is not delivered yet: ${reason}`);
      await this.postpone(notice, reason);
    }
  }

  /** Postpones a notice. If that cannot be written, the notice is due again when its claim ends. */
  private async postpone({ id }: PauseNotification, reason: string): Promise<void> {
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
