import { Controller, Get, Param, Post, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { Files } from '#libs/platform/files/files';
import { Answers } from '#libs/runs/pauses/answers';
import { Settings } from '#libs/platform/settings/settings';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission, StoresData, TakesUploads } from '../http/route-decorators.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { RawBody } from '../http/raw-input.ts';
import { ApiErrors, ApiResult } from '../http/api-result.ts';
import { Upload } from '../http/upload-body.ts';
import { AnswerFileView, buildAnswerFiles } from './answer-files.ts';
import type { PauseParams } from './pauses.dto.ts';

/** Files that people give as answers. They belong to the execution and are deleted with it. */
@ApiTags('Paused executions')
@Controller('api')
export class PauseFilesController {
  constructor(
    private readonly answers: Answers,
    private readonly files: Files,
    private readonly settings: Settings,
    private readonly lasting: LastingAnswers,
  ) {}

  @Post('resume/:workflowId/:executionId/:contextId/files')
  @ApiOperation({
    summary: 'Upload files for the file fields of a pause',
    description:
      'Uploads files before a pause with file fields is answered. Give the `id` of each file as the value of its field in the answer.',
  })
  @RequirePermission('execute', 'workflow')
  @StoresData()
  @TakesUploads()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      properties: {
        file: { type: 'string', format: 'binary', description: 'One file or more, in fields of any name.' },
      },
    },
  })
  @ApiResult(
    201,
    { success: 'flag', data: { files: [AnswerFileView] } },
    'The files are kept with the execution; send each as the answer to a file field.',
    { also: [409, 413, 415] },
  )
  async uploadAnswerFiles(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param() params: PauseParams,
    @RawBody() body: unknown,
  ) {
    if (!(body instanceof Upload) || body.files.length === 0)
      throw Invalid.field('file', 'is required, as multipart/form-data', 'required');
    const who = caller.userId ?? undefined;
    const uploaded = body.files;
    let views: AnswerFileView[] = [];
    await this.answers.storeFor({ ...params, workspaceId, who }, (tx, { rootId: executionId }) => {
      const { workflowId } = params;
      const answerFiles = buildAnswerFiles(this.settings.publicUrl, { workflowId, executionId }, uploaded);
      views = answerFiles.views;
      return this.files.keepWithin(tx, workspaceId, executionId, answerFiles.files);
    });
    return { files: views };
  }

  @Get('workflows/:workflowId/executions/:executionId/files/:fileId')
  @ApiOperation({
    summary: 'Download a file that was given as an answer',
    description: 'Downloads a file from an answer, with its name and its media type.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResponse({
    status: 200,
    description: 'The file as it was uploaded.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiErrors()
  async downloadAnswerFile(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('executionId') executionId: string,
    @Param('fileId') fileId: string,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const file = await this.files.get(workspaceId, fileId);
    if (file.executionId !== executionId) throw new NotFound('file');
    return new StreamableFile(this.lasting.file(request, this.files.read(workspaceId, file)), {
      type: 'application/octet-stream',
      disposition: `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      length: file.size,
    });
  }
}
