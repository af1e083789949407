// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Implementation} from "./Implementation.sol";

/// @title A proxy of ERC-1967
/// @notice Keeps the storage and runs the code of its implementation on it. The implementation decides on upgrades.
contract Proxy {
    /// @param implementation The first implementation.
    /// @param initialCall What to call on it at once; nothing if empty.
    constructor(address implementation, bytes memory initialCall) payable {
        Implementation.write(implementation);
        if (initialCall.length == 0) return;
        (bool success,) = implementation.delegatecall(initialCall);
        require(success, "initial call failed");
    }

    fallback() external payable {
        _delegate(Implementation.read());
    }

    receive() external payable {
        _delegate(Implementation.read());
    }

    /// @dev Hands over calldata and gives back whatever comes, success or not. Never returns to its caller.
    function _delegate(address implementation) private {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
