<?php

declare(strict_types=1);

// The parts that need no WordPress.
spl_autoload_register(static function (string $class): void {
    $folder = str_starts_with($class, 'FlorinWoo\\') ? __DIR__ . '/../src/' : __DIR__ . '/../../../clients/php/src/';
    $file = $folder . str_replace('\\', '/', substr($class, (int) strpos($class, '\\') + 1)) . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});

require_once __DIR__ . '/wordpress.php';
require_once __DIR__ . '/StandInFlorin.php';
