<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Result\Project;

final class Projects
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * @param array<string, string|int|bool> $filters of GET /api/v1/projects
     * @return Listing<Project>
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/v1/projects', [], $filters, Project::from(...));
    }

    /** @param array<string, mixed> $project project: its name */
    public function create(array $project): Project
    {
        return Project::from($this->api->data('POST', '/api/v1/projects', body: $project));
    }

    /** By id or name, like the calls below. */
    public function get(string $project): Project
    {
        return Project::from($this->api->data('GET', '/api/v1/projects/{project}', ['project' => $project]));
    }

    /** @param array<string, mixed> $changes project: its new name */
    public function rename(string $project, array $changes): Project
    {
        $path = ['project' => $project];

        return Project::from($this->api->data('PATCH', '/api/v1/projects/{project}', $path, $changes, mayRepeat: true));
    }

    public function delete(string $project): void
    {
        $this->api->data('DELETE', '/api/v1/projects/{project}', ['project' => $project]);
    }
}
