import { Module } from '@nestjs/common';
import { CompletionNotifier } from './completion-notifier.ts';

@Module({ providers: [CompletionNotifier], exports: [CompletionNotifier] })
export class CompletionNotifierModule {}
